import type { Lines } from '../lines/lines.ts';
import type { RenderOptions } from '../lines/options.ts';
import { isObject, isTruthy, memberOf, type ObjectValue } from '../values/json-values.ts';
import { json2, pystr } from '../values/python-text.ts';
import { firstName } from './names.ts';
import { rule, separator } from './rules.ts';
import { writeState } from './states.ts';

/** Writes a span: its name, its error, the states that it began and ended with (contract/llm-surveys 5.5). */
export function writeSpan(lines: Lines, properties: ObjectValue, options: RenderOptions): void {
  lines.add(firstName([memberOf(properties, '$ai_span_name')], 'span').toUpperCase(), rule);
  const error = memberOf(properties, '$ai_error');
  if (isTruthy(error)) {
    lines.add(separator, '');
    const firstLine = lines.count + 1;
    lines.add('ERROR:', '', errorText(error));
    lines.markFrom(firstLine, 'error');
  }
  writeLabelled(lines, memberOf(properties, '$ai_input_state'), 'input', options);
  writeLabelled(lines, memberOf(properties, '$ai_output_state'), 'output', options);
}

function errorText(error: unknown): string {
  return typeof error === 'string' ? error : isObject(error) ? json2(error) : pystr(error);
}

function writeLabelled(lines: Lines, state: unknown, kind: 'input' | 'output', options: RenderOptions): void {
  if (!isTruthy(state)) return;
  lines.add(separator, '');
  const firstLine = lines.count + 1;
  lines.add(`${kind.toUpperCase()} STATE:`, '');
  writeState(lines, state, options);
  lines.markFrom(firstLine, kind);
}
