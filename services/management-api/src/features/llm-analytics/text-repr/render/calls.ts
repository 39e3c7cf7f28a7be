import { firstTruthy, isObject, isEmptyObject, isTruthy, keysOf, memberOf } from '../values/json-values.ts';
import { parseContainerText } from '../values/parse-json.ts';
import { json, pystr } from '../values/python-text.ts';

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
  const parsed = typeof args === 'string' ? parseContainerText(args) : args;
  if (isObject(parsed) && !isEmptyObject(parsed)) {
    const members = keysOf(parsed).map((key) => `${key}=${json(memberOf(parsed, key))}`);
    return `${name}(${members.join(', ')})`;
  }
  return isTruthy(args) ? `${name}(${pystr(args)})` : `${name}()`;
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
