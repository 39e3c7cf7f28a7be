import { firstTruthy, isObject, isTruthy, keysOf, memberOf } from '../values/json-values.ts';
import { parseJsonText } from '../values/parse-json.ts';
import { printedMembers } from '../values/printed-members.ts';
import { json, pystr } from '../values/python-text.ts';

/** Arguments that are printed without their values; for shorter ones that pays nothing. */
const longLength = 4096;

/** A call of a tool: its name, and its arguments as they were recorded. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
}

/**
 * A call as a line of code: `name(key=json, …)`. Arguments may be an object or the JSON text of one; any others stand there
 * as they are (contract/llm-surveys 5.4).
 */
export function callText({ name, args }: ToolCall): string {
  const members = [...membersOf(args)];
  if (members.length > 0) return `${name}(${members.map(([key, text]) => `${key}=${text}`).join(', ')})`;
  return isTruthy(args) ? `${name}(${pystr(args)})` : `${name}()`;
}

/** The members of arguments, their values as JSON; none when they are no object. */
function membersOf(args: unknown): Iterable<readonly [key: string, text: string]> {
  const isText = typeof args === 'string';
  if (isText && !/^[ \t\n\r]*\{/.test(args)) return [];
  const printed = isText && args.length >= longLength ? printedMembers(args) : null;
  if (printed !== null) return printed;
  const parsed = isText ? parseJsonText(args) : args;
  return isObject(parsed) ? keysOf(parsed).map((key) => [key, json(memberOf(parsed, key))] as const) : [];
}

/** The call that an entry of `tool_calls` is; null for an entry that is no object. */
export function toolCallOf(entry: unknown): ToolCall | null {
  if (!isObject(entry)) return null;
  const called = memberOf(entry, 'function');
  if (isObject(called)) return functionCall(called);
  return {
    name: nameText(memberOf(entry, 'name') ?? memberOf(entry, 'toolName')),
    args: firstTruthy(memberOf(entry, 'args'), memberOf(entry, 'arguments'), memberOf(entry, 'input')),
  };
}

/** The call in the `function` object of an OpenAI tool call. */
export function functionCall(called: unknown): ToolCall {
  if (!isObject(called)) return { name: nameText(undefined), args: undefined };
  return { name: nameText(memberOf(called, 'name')), args: memberOf(called, 'arguments') };
}

/** The name of a tool; `unknown` when there is none. */
export function nameText(name: unknown): string {
  return name === undefined || name === null ? 'unknown' : pystr(name);
}
