import { firstTruthy, isObject, isTruthy, memberOf, memberOfAny, type ObjectValue } from '../values/json-values.ts';
import { pystr } from '../values/python-text.ts';
import { parseJsonText } from '../values/parse-json.ts';
import { functionCall, nameText, type ToolCall } from './calls.ts';
import { itemText } from './item-signature.ts';
import { isMediaType, mediaText } from './media.ts';

/** Types whose blocks need no label: their text is the content. */
const plainTypes: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text', 'summary_text']);
const callTypes: ReadonlySet<unknown> = new Set(['tool-call', 'tool_use', 'function']);
const resultTypes: ReadonlySet<unknown> = new Set(['tool-result', 'tool_result']);
const namedTypes: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'refusal']);
/** Built-in tools of OpenAI's Responses, whose items also stand among the blocks of a message. */
const itemType = /_call$/;

/** True for the type of a block that stands in contents alone. */
export function isContentType(type: unknown): boolean {
  return [plainTypes, callTypes, resultTypes, namedTypes].some((types) => types.has(type)) || isMediaType(type);
}

/** The text of a block under one of its usual names; undefined when it has none. */
export function usualText(block: ObjectValue): unknown {
  return firstTruthy(memberOf(block, 'text'), memberOf(block, 'content'));
}

/** The text of a block to which its type gives another name (contract/decisions 50). */
export function namedText(block: ObjectValue): unknown {
  const type = memberOf(block, 'type');
  if (type === 'thinking' || type === 'refusal') return memberOf(block, type);
  return type === 'redacted_thinking' ? '[redacted]' : undefined;
}

/** A text below the label of its block's type. */
export function labelled(block: ObjectValue, text: string): string {
  const type = memberOf(block, 'type');
  return isTruthy(type) && !plainTypes.has(type) ? `[${pystr(type).toUpperCase()}]\n\n${text}` : text;
}

/** True for a block that an array's calls are written as code for. */
export function isCallBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  if (callTypes.has(memberOf(block, 'type'))) return true;
  return memberOfAny(memberOf(block, 'content'), 'toolName') !== undefined;
}

/** True for a block whose call is also collected among the tool calls of an answer (contract/decisions 51). */
export function isCollectedCall(block: ObjectValue): boolean {
  const type = memberOf(block, 'type');
  return (type === 'function' || type === 'tool-call') && isObject(memberOf(block, 'function'));
}

/** The call that a block is, or holds; null for all others. */
export function blockCall(block: ObjectValue): ToolCall | null {
  const type = memberOf(block, 'type');
  const called = memberOf(block, 'function');
  if (isCollectedCall(block)) return functionCall(called);
  if (type === 'tool-call')
    return { name: nameText(memberOf(block, 'toolName')), args: memberOf(block, 'input') ?? memberOf(block, 'args') };
  if (type === 'tool_use') return { name: nameText(memberOf(block, 'name')), args: toolUseInput(block) };
  if (type === 'function')
    return { name: nameText(memberOf(block, 'name')), args: memberOf(block, 'arguments') ?? memberOf(block, 'args') };
  const content = memberOf(block, 'content');
  if (!isObject(content) || memberOf(content, 'result') !== undefined) return null;
  const name = memberOf(content, 'toolName');
  return name === undefined ? null : { name: nameText(name), args: memberOf(content, 'args') };
}

function toolUseInput(block: ObjectValue): unknown {
  const input = memberOf(block, 'input');
  const partial = memberOf(block, 'partial_json');
  return isTruthy(input) || typeof partial !== 'string' ? input : parseJsonText(partial);
}

/** The result of a tool that a block holds. */
export interface ToolResult {
  readonly label: string;
  /** Result of the tool, as a content; undefined when that is not recorded. */
  readonly output: unknown;
}

/** The result of a block that has no text (contract/decisions 50); null for others. */
export function blockResult(block: ObjectValue): ToolResult | null {
  if (!resultTypes.has(memberOf(block, 'type')) || usualText(block) !== undefined) return null;
  const output = memberOf(block, 'output') ?? memberOf(block, 'result');
  return { label: resultLabel(block), output: outputValue(output) };
}

/** The result in the `content` object of a block; null for others. */
export function contentResult(block: ObjectValue): ToolResult | null {
  const content = memberOf(block, 'content');
  if (!isObject(content)) return null;
  const result = memberOf(content, 'result');
  return result === undefined ? null : { label: resultLabel(content), output: outputValue(result) };
}

function resultLabel(named: ObjectValue): string {
  return `[Tool result: ${nameText(memberOf(named, 'toolName') ?? memberOf(named, 'name'))}]`;
}

/** The AI SDK wraps outputs: `{type: text | json | error-text, value}`. */
function outputValue(output: unknown): unknown {
  if (!isObject(output) || typeof memberOf(output, 'type') !== 'string') return output;
  const value = memberOf(output, 'value');
  return value === undefined ? output : value;
}

/** The text of a block by its type alone: media, and items of OpenAI's Responses. Null for others. */
export function typedBlockText(block: ObjectValue): string | null {
  const media = mediaText(block);
  if (media !== null) return media;
  const type = memberOf(block, 'type');
  return typeof type === 'string' && itemType.test(type) ? itemText(block) : null;
}
