import type { Lines } from '../lines/lines.ts';
import type { RenderOptions } from '../lines/options.ts';
import { base64 } from '../lines/truncate-middle.ts';
import { firstTruthy, isObject, keysOf, memberOf, type ObjectValue } from '../values/json-values.ts';
import { json, pystr } from '../values/python-text.ts';

/** Length of the description of a tool that no rule knows. */
const unknownLengthMax = 100;

/** True when there are tools to be shown. */
export function hasTools(value: unknown): boolean {
  return toolsOf(value).length > 0;
}

/** Writes the tools that a model could call: their signatures, or above the threshold their number (contract/llm-surveys 5.7). */
export function writeTools(lines: Lines, value: unknown, options: RenderOptions): void {
  const tools = toolsOf(value);
  const title = `AVAILABLE TOOLS: ${tools.length}`;
  lines.add('');
  const firstLine = lines.count + 1;
  if (tools.length <= options.toolsCollapseThreshold) lines.add(title, ...tools.map(toolText));
  else if (!options.includeMarkers) lines.add(`[+] ${title}`);
  else {
    const all = [title, ...tools.map(toolText)].join('\n');
    lines.add(`<<<TOOLS_EXPANDABLE|${title}|${base64(all)}>>>`);
  }
  lines.markFrom(firstLine, 'tools');
}

/** Tools in a list or by their names; Google puts several into one declaration. */
function toolsOf(value: unknown): ObjectValue[] {
  const entries = Array.isArray(value)
    ? value
    : isObject(value)
      ? keysOf(value).map((key) => memberOf(value, key))
      : [];
  return entries.filter(isObject).flatMap((entry) => {
    const bundle = memberOf(entry, 'functionDeclarations') ?? memberOf(entry, 'function_declarations');
    return Array.isArray(bundle) ? bundle.filter(isObject) : [entry];
  });
}

/** An empty line, the signature, and the first sentence of the description. */
function toolText(tool: ObjectValue): string {
  const { name, description, schema } = readTool(tool);
  const signature = `\n  ${name}(${parametersText(schema)})`;
  return typeof description === 'string' && description !== ''
    ? `${signature}\n    ${firstSentence(description)}`
    : signature;
}

function readTool(tool: ObjectValue): { name: string; description: unknown; schema: unknown } {
  const called = memberOf(tool, 'function');
  if (isObject(called))
    return {
      name: pystr(memberOf(called, 'name') ?? 'unknown'),
      description: memberOf(called, 'description'),
      schema: memberOf(called, 'parameters'),
    };
  const name = memberOf(tool, 'name');
  if (name === undefined) {
    const description = json(tool).slice(0, unknownLengthMax);
    return { name: pystr(memberOf(tool, 'type') ?? 'UNKNOWN'), description, schema: undefined };
  }
  const schemas = ['input_schema', 'inputSchema', 'parameters'].map((key) => memberOf(tool, key));
  return { name: pystr(name), description: memberOf(tool, 'description'), schema: firstTruthy(...schemas) };
}

function parametersText(schema: unknown): string {
  const properties = isObject(schema) ? memberOf(schema, 'properties') : undefined;
  if (!isObject(schema) || !isObject(properties)) return '';
  const required = memberOf(schema, 'required');
  const names = new Set<unknown>(Array.isArray(required) ? required : []);
  const parameters = keysOf(properties).flatMap((name) => {
    const property = memberOf(properties, name);
    if (!isObject(property)) return [];
    return [`${name}${names.has(name) ? '' : '?'}: ${pystr(memberOf(property, 'type') ?? 'any')}`];
  });
  return parameters.join(', ');
}

function firstSentence(description: string): string {
  const [line = ''] = description.split('\n', 1);
  const [sentence = ''] = line.split('. ', 1);
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
