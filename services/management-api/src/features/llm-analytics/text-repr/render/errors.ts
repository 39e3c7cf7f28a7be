import type { Lines } from '../lines/lines.ts';
import { isEmptyObject, isObject, isTruthy, keysOf, memberOf, type ObjectValue } from '../values/json-values.ts';
import { parseContainerText } from '../values/parse-json.ts';
import { json, pystr } from '../values/python-text.ts';
import { separator } from './rules.ts';

/** Deeper containers stand on one line, as JSON: their indentation would grow with the square of the depth. */
const depthMax = 200;

/** True when an event has an error to be shown. */
export function hasError(properties: ObjectValue): boolean {
  return isTruthy(memberOf(properties, '$ai_error')) || isTruthy(memberOf(properties, '$ai_is_error'));
}

/** Writes the error of a generation or an embedding (contract/llm-surveys 5.6). */
export function writeError(lines: Lines, properties: ObjectValue): void {
  lines.add('', separator, '');
  const firstLine = lines.count + 1;
  lines.add('ERROR:', '');
  const error = memberOf(properties, '$ai_error');
  const parsed = typeof error === 'string' ? parseContainerText(error) : error;
  if (!isTruthy(error)) lines.add('An error occurred (no details available)');
  else if (isObject(parsed) && !isEmptyObject(parsed)) writeMembers(lines, parsed, 0);
  else lines.add(pystr(error));
  lines.markFrom(firstLine, 'error');
  lines.add('');
}

/** The members of an object or array, one a line, in the manner of YAML. */
function writeMembers(lines: Lines, container: ObjectValue | readonly unknown[], depth: number): void {
  const indent = '  '.repeat(depth);
  if (Array.isArray(container)) {
    for (const item of container as readonly unknown[]) writeMember(lines, `${indent}-`, item, depth);
    return;
  }
  const object = container as ObjectValue;
  for (const key of keysOf(object)) writeMember(lines, `${indent}${key}:`, memberOf(object, key), depth);
}

function writeMember(lines: Lines, label: string, value: unknown, depth: number): void {
  if (!Array.isArray(value) && !isObject(value)) lines.add(`${label} ${pystr(value)}`);
  else if (depth === depthMax) lines.add(`${label} ${json(value)}`);
  else {
    lines.add(label);
    writeMembers(lines, value, depth + 1);
  }
}
