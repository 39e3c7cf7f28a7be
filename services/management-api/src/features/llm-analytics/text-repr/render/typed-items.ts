import { firstTruthy, hasMember, isTruthy, memberOf, type ObjectValue } from '../values/json-values.ts';
import { truncateMiddle } from '../lines/truncate-middle.ts';
import type { Lines } from '../lines/lines.ts';
import type { RenderOptions } from '../lines/options.ts';
import { isContentType } from './blocks.ts';
import { payloadText } from './content.ts';
import { itemCall, itemName, itemText } from './item-signature.ts';
import { hasTools, writeTools } from './tools.ts';

const callItems: ReadonlySet<unknown> = new Set(['function_call', 'custom_tool_call']);
/** The Agents SDK for JavaScript has names of its own: `function_call_result`. */
const resultItems = /_(?:output|call_result)$/;

/** True for an item of OpenAI's Responses: it has a type, and nothing of a message. */
export function isTypedItem(message: ObjectValue): boolean {
  const isMessage = ['role', 'content', 'tool_calls'].some((key) => hasMember(message, key));
  return !isMessage && isTruthy(memberOf(message, 'type'));
}

/** True for a typed item that is a block of a content, which some SDKs record in place of a message: it is shown as one of that block. */
export function isBareBlock(item: ObjectValue): boolean {
  return isTypedItem(item) && isContentType(memberOf(item, 'type'));
}

/** Writes the lines of a typed item (contract/llm-surveys 5.4); false, and nothing, for what is a message. */
export function writeTypedItem(lines: Lines, item: ObjectValue, options: RenderOptions): boolean {
  const type = memberOf(item, 'type');
  if (type === 'additional_tools') {
    const tools = memberOf(item, 'tools');
    if (hasTools(tools)) writeTools(lines, tools, options);
    else lines.add('[tool catalog not recorded]');
    return true;
  }
  const text = typedItemText(item, type);
  if (text === null) return false;
  const firstLine = lines.count + 1;
  lines.add(...truncateMiddle(text, options));
  if (typeof type === 'string' && type.endsWith('_call')) lines.markLine(firstLine, 'call', itemName(item));
  return true;
}

function typedItemText(item: ObjectValue, type: unknown): string | null {
  if (callItems.has(type)) return itemCall(item);
  if (typeof type === 'string' && resultItems.test(type))
    return payloadText(memberOf(item, 'output') ?? memberOf(item, 'content')) || '[tool output not recorded]';
  if (type === 'reasoning') {
    const text = firstTruthy(memberOf(item, 'summary'), memberOf(item, 'content'), memberOf(item, 'text'));
    return payloadText(text) || '[reasoning summary not recorded]';
  }
  return isTypedItem(item) ? itemText(item) : null;
}
