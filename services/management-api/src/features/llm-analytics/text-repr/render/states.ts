import type { Lines } from '../lines/lines.ts';
import type { RenderOptions } from '../lines/options.ts';
import { truncateMiddle } from '../lines/truncate-middle.ts';
import { isAbsent, isEmptyObject, isObject, isTruthy, memberOf, type ObjectValue } from '../values/json-values.ts';
import { parsePythonLiteral } from '../values/parse-python-literal.ts';
import { json2, pystr } from '../values/python-text.ts';
import { callText, nameText } from './calls.ts';
import { payloadText } from './content.ts';
import { areMessages, writeMessages } from './messages.ts';

/** Writes the state that a span began or ended with, which must be truthy (contract/llm-surveys 5.5). */
export function writeState(lines: Lines, state: unknown, options: RenderOptions): void {
  const firstLine = lines.count + 1;
  if (typeof state === 'string') {
    const literal = parsePythonLiteral(state);
    lines.add(...truncateMiddle(literal === undefined ? state : json2(literal), options));
    lines.markFrom(firstLine, 'content');
  } else if (areMessages(state)) writeMessages(lines, state, options);
  else if (isObject(state)) writeObject(lines, state, options);
  else if (Array.isArray(state)) lines.add(...truncateMiddle(json2(state), options));
  else lines.add(pystr(state));
}

function writeObject(lines: Lines, state: ObjectValue, options: RenderOptions): void {
  const messages = messagesIn(state);
  if (memberOf(state, '__type') === 'tool_call_with_context') writeCallWithContext(lines, state, options);
  else if (messages !== null) writeMessages(lines, messages, options);
  else if (memberOf(state, 'type') === 'tool') writeToolResult(lines, state, options);
  else lines.add(...truncateMiddle(json2(state), options));
}

/** The messages of an object; null when it has none. */
function messagesIn(state: unknown): readonly unknown[] | null {
  const messages = isObject(state) ? memberOf(state, 'messages') : undefined;
  return Array.isArray(messages) && messages.length > 0 ? messages : null;
}

/** LangGraph's state of a tool node (contract/decisions 52). */
function writeCallWithContext(lines: Lines, context: ObjectValue, options: RenderOptions): void {
  const state = memberOf(context, 'state');
  const messages = messagesIn(state);
  if (messages !== null) writeMessages(lines, messages, options);
  const remaining = isObject(state) ? memberOf(state, 'remaining_steps') : undefined;
  if (!isAbsent(remaining)) lines.add('', `Remaining steps: ${pystr(remaining)}`);
  const call = memberOf(context, 'tool_call');
  if (!isObject(call) || isEmptyObject(call)) return;
  const name = nameText(memberOf(call, 'name'));
  lines.add('', 'Tool Call:', `  ${callText({ name, args: memberOf(call, 'args') })}`);
  lines.markLine(lines.count, 'call', name);
}

/** LangChain's message of a tool. */
function writeToolResult(lines: Lines, state: ObjectValue, options: RenderOptions): void {
  const name = memberOf(state, 'name');
  const status = memberOf(state, 'status');
  const heading = ['[TOOL RESULT]'];
  if (isTruthy(name)) heading.push(pystr(name));
  if (isTruthy(status)) heading.push(`(${pystr(status)})`);
  lines.add(heading.join(' '), '');
  const text = payloadText(memberOf(state, 'content'));
  lines.add(...(text === '' ? ['[tool output not recorded]'] : truncateMiddle(text, options)));
}
