import type { Lines } from '../lines/lines.ts';
import type { RenderOptions } from '../lines/options.ts';
import { isTruthy, memberOf, type ObjectValue } from '../values/json-values.ts';
import { hasError, writeError } from './errors.ts';
import { writeInput } from './input.ts';
import { outputOf, writeOutput } from './output.ts';
import { separator } from './rules.ts';
import { hasTools, writeTools } from './tools.ts';

/** Writes a call of a model: tools, input, answer, error (contract/llm-surveys 5.4). Nothing when it has none of them. */
export function writeGeneration(lines: Lines, properties: ObjectValue, options: RenderOptions): void {
  const begin = beginSections(lines);
  const tools = memberOf(properties, '$ai_tools');
  const input = memberOf(properties, '$ai_input');
  const output = outputOf(memberOf(properties, '$ai_output'), memberOf(properties, '$ai_output_choices'));
  if (hasTools(tools)) {
    begin(separator);
    writeTools(lines, tools, options);
  }
  if (isTruthy(input)) {
    begin(separator);
    writeInput(lines, input, options);
  }
  if (output !== null) {
    begin(separator);
    writeOutput(lines, output, options);
  }
  if (hasError(properties)) {
    begin();
    writeError(lines, properties);
  }
}

/** Writes an embedding: its input, that there is a vector, its error (contract/llm-surveys 5.5). */
export function writeEmbedding(lines: Lines, properties: ObjectValue, options: RenderOptions): void {
  const begin = beginSections(lines);
  const input = memberOf(properties, '$ai_input');
  if (isTruthy(input)) {
    begin(separator);
    writeInput(lines, input, options);
  }
  begin(separator);
  lines.add('', 'OUTPUT:', '', 'Embedding vector generated', '');
  if (hasError(properties)) {
    begin();
    writeError(lines, properties);
  }
}

/** Begins sections with their first lines, and with an empty line before, when something precedes. */
function beginSections(lines: Lines): (...first: readonly string[]) => void {
  const start = lines.count;
  return (...first) => {
    if (lines.count > start) lines.add('');
    lines.add(...first);
  };
}
