import { lineCount, type Lines } from '../lines/lines.ts';
import type { RenderOptions } from '../lines/options.ts';
import { truncateMiddle } from '../lines/truncate-middle.ts';
import { firstTruthy, hasMember, isObject, isTruthy, memberOf, type ObjectValue } from '../values/json-values.ts';
import { pystr } from '../values/python-text.ts';
import { callText, toolCallOf } from './calls.ts';
import { contentOf, type Content, type Place } from './content.ts';
import { withoutParts } from './otel-parts.ts';
import { separator } from './rules.ts';
import { isBareBlock, writeTypedItem } from './typed-items.ts';

/** Writes the messages of a conversation, numbered by their places (contract/llm-surveys 5.4). Whatever is no object is left out. */
export function writeMessages(
  lines: Lines,
  recorded: readonly unknown[],
  options: RenderOptions,
  place: Place = 'input',
): void {
  const messages = withoutParts(recorded);
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) continue;
    lines.message = index + 1;
    writeMessage(lines, message, options, place);
    lines.message = null;
    if (index < messages.length - 1) lines.add('', separator);
  }
}

/** True for an array of messages: its first entry has a role or a content. */
export function areMessages(value: unknown): value is readonly unknown[] {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isObject(first) && (hasMember(first, 'role') || hasMember(first, 'content'));
}

function writeMessage(lines: Lines, message: ObjectValue, options: RenderOptions, place: Place): void {
  const role = pystr(firstTruthy(memberOf(message, 'role'), memberOf(message, 'type'), 'unknown'));
  const firstLine = lines.count + 2;
  lines.add(`\n[${lines.message}] ${role.toUpperCase()}\n`);
  if (isBareBlock(message)) writeContent(lines, contentOf([message], 'input'), options);
  else if (!writeTypedItem(lines, message, options) && isTruthy(memberOf(message, 'content')))
    writeContent(lines, contentOf(memberOf(message, 'content'), place), options);
  writeToolCalls(lines, memberOf(message, 'tool_calls'));
  lines.markFrom(firstLine, 'message', role);
}

function writeContent(lines: Lines, { text, calls }: Content, options: RenderOptions): void {
  if (text === '') return;
  const firstLine = lines.count + 1;
  const pieces = truncateMiddle(text, options);
  lines.add(...pieces);
  lines.markFrom(firstLine, 'content');
  // A truncated text has other lines than those that were counted: its calls are then found at its beginning.
  const isWhole = pieces[0] === text;
  let line = firstLine;
  let from = 0;
  for (const { name, at } of calls) {
    if (isWhole) line += lineCount(text.slice(from, at)) - 1;
    from = at;
    lines.markLine(line, 'call', name);
  }
}

function writeToolCalls(lines: Lines, recorded: unknown): void {
  if (!isTruthy(recorded)) return;
  const calls: readonly unknown[] = Array.isArray(recorded) ? recorded : [recorded];
  lines.add('', `Tool calls: ${calls.length}`);
  for (const entry of calls) {
    const call = toolCallOf(entry);
    const firstLine = lines.count + 1;
    lines.add(`  - ${call === null ? pystr(entry) : callText(call)}`);
    if (call !== null) lines.markLine(firstLine, 'call', call.name);
  }
}
