import { codePoints } from '../values/code-points.ts';
import { isAbsent, isObject, isTruthy, keysOf, memberOf, type ObjectValue } from '../values/json-values.ts';
import { json2, pystr } from '../values/python-text.ts';
import { thousands } from '../values/thousands.ts';
import { callText } from './calls.ts';

/** Keys that the signature shows, or that nobody reads. */
const shownElsewhere = new Set(['type', 'id', 'call_id', 'name', 'arguments', 'input', 'status', 'encrypted_content']);

/** Longer texts in an item, such as images, are shown by their length alone. */
const textLengthMax = 2000;
/** Deeper members of an item are searched no further for long texts. */
const depthMax = 200;

/** The name under which a typed item of OpenAI's Responses is shown as a call. */
export function itemName(item: ObjectValue): string {
  const name = memberOf(item, 'name');
  const type = memberOf(item, 'type');
  return pystr(isTruthy(name) ? name : isTruthy(type) ? type : 'unknown');
}

/** An item as a call. `input` is a tool's own language and stays as it is (contract/decisions 52). */
export function itemCall(item: ObjectValue): string {
  const args = memberOf(item, 'arguments');
  if (!isAbsent(args)) return callText({ name: itemName(item), args });
  const input = memberOf(item, 'input');
  return `${itemName(item)}(${isTruthy(input) ? pystr(input) : ''})`;
}

/** An item of a type that has no rule of its own: its call, its status, and all else that it holds. */
export function itemText(item: ObjectValue): string {
  const status = memberOf(item, 'status');
  const signature = isTruthy(status) ? `${itemCall(item)} (${pystr(status)})` : itemCall(item);
  const rest = keysOf(item).filter((key) => !shownElsewhere.has(key));
  if (rest.length === 0) return signature;
  const members = new Map(rest.map((key) => [key, withoutLongTexts(memberOf(item, key), depthMax)]));
  return `${signature}\n${json2(members)}`;
}

function withoutLongTexts(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    const length = value.length > textLengthMax ? codePoints(value) : 0;
    return length > textLengthMax ? `[${thousands(length)} chars not shown]` : value;
  }
  if (typeof value !== 'object' || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withoutLongTexts(item, depth - 1));
  if (!isObject(value)) return value;
  return new Map(keysOf(value).map((key) => [key, withoutLongTexts(memberOf(value, key), depth - 1)]));
}
