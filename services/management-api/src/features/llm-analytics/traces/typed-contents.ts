import { isTypedItem } from '../text-repr/render/typed-items.ts';
import { hasMember, isObject, isTruthy, memberOf, type ObjectValue } from '../text-repr/values/json-values.ts';

/** Items of OpenAI's Responses, by their own names: `phone_call` or `test_output` of an answer is none. */
const itemTypes: ReadonlySet<unknown> = new Set([
  ...[
    'function_call',
    'custom_tool_call',
    'computer_call',
    'local_shell_call',
    'shell_call',
    'apply_patch_call',
  ].flatMap((type) => [type, `${type}_output`]),
  ...['web_search_call', 'file_search_call', 'image_generation_call', 'code_interpreter_call', 'mcp_call'],
  ...['tool_search_call', 'tool_search_output', 'additional_tools', 'reasoning', 'compaction'],
  ...['mcp_list_tools', 'mcp_approval_request', 'mcp_approval_response'],
]);

/** Media under names that are OpenAI's own, so that one of them may also stand alone. */
const openAiMedia: ReadonlySet<unknown> = new Set(['input_image', 'input_audio', 'input_file', 'image_url']);

const mediaKeys = ['source', 'data', 'file', 'image', 'image_url', 'audio', 'input_audio', 'video', 'file_data'];
const fileKeys = [...mediaKeys, 'file_id', 'file_url'];

/** Types of blocks of a content, each with the members of which one must be there: what the renderer shows, or shows a label for. */
const blockMembers: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  ...['thinking', 'refusal'].map((type) => [type, [type]] as const),
  ...['image', 'audio', 'video', 'document'].map((type) => [type, mediaKeys] as const),
  ...['file', ...openAiMedia].map((type) => [type, fileKeys] as const),
  ['redacted_thinking', ['data']],
  ['reasoning', ['summary', 'text', 'content']],
  ['function', ['function', 'arguments']],
  ['tool-call', ['toolCallId', 'function']],
  ['tool_use', ['input']],
  ['tool-result', ['toolCallId']],
  ['tool_result', ['tool_use_id']],
]);
const textTypes: ReadonlySet<unknown> = new Set([
  'text',
  'input_text',
  'output_text',
  'summary_text',
  'reasoning_text',
]);

/** An item or the blocks that a text stood for. */
type TypedContent = { readonly item: ObjectValue } | { readonly blocks: readonly ObjectValue[] };

/**
 * The item, or the blocks, that a value out of JSON text surely is; null for all else. A block alone is one only when it is media of OpenAI's:
 * SDKs write lists, and a person who writes `{"type": "text", "text": "x"}`, or a model that answers so, means this text.
 * Every entry of a list must be a block, and have what its type tells. Pure.
 */
export function typedContentOf(value: unknown): TypedContent | null {
  if (Array.isArray(value)) return value.length > 0 && value.every(isBlock) ? { blocks: value } : null;
  if (!isObject(value)) return null;
  const type = memberOf(value, 'type');
  if (openAiMedia.has(type)) return isBlock(value) ? { blocks: [value] } : null;
  return itemTypes.has(type) && isTypedItem(value) ? { item: value } : null;
}

function isBlock(value: unknown): value is ObjectValue {
  if (!isObject(value) || hasMember(value, 'role')) return false;
  const type = memberOf(value, 'type');
  if (textTypes.has(type)) return typeof memberOf(value, 'text') === 'string';
  return (blockMembers.get(type) ?? []).some((key) => isTruthy(memberOf(value, key)) || isObject(memberOf(value, key)));
}
