import { isAbsent, isObject, isTruthy, memberOf, type ObjectValue } from '../values/json-values.ts';
import { json } from '../values/python-text.ts';

/**
 * The messages with those of OpenTelemetry, `{role, parts}`, in the form of all others: texts joined to a content, calls
 * collected, results of tools and reasoning as messages of their own behind (contract/decisions 56).
 */
export function withoutParts(messages: readonly unknown[]): readonly unknown[] {
  return messages.some(hasParts)
    ? messages.flatMap((message) => (hasParts(message) ? flatMessages(message) : [message]))
    : messages;
}

function hasParts(message: unknown): message is ObjectValue {
  if (!isObject(message) || !Array.isArray(memberOf(message, 'parts'))) return false;
  if (typeof memberOf(message, 'role') !== 'string') return false;
  return !isTruthy(memberOf(message, 'content')) && !isTruthy(memberOf(message, 'tool_calls'));
}

function flatMessages(message: ObjectValue): ObjectValue[] {
  const texts: string[] = [];
  const calls: ObjectValue[] = [];
  const followers: ObjectValue[] = [];
  for (const part of memberOf(message, 'parts') as readonly unknown[]) {
    if (!isObject(part)) continue;
    const text = partText(part);
    const call = partCall(part);
    const follower = partFollower(part);
    if (text !== null) texts.push(text);
    if (call !== null) calls.push(call);
    if (follower !== null) followers.push(follower);
  }
  if (texts.length === 0 && calls.length === 0 && followers.length > 0) return followers;
  return [{ role: memberOf(message, 'role'), content: texts.join(' '), tool_calls: calls }, ...followers];
}

function partText(part: ObjectValue): string | null {
  const type = memberOf(part, 'type');
  const content = textMember(part, 'content');
  if (type === 'text') return content;
  if (type === 'compaction') return content ?? '[conversation compacted]';
  const modality = textMember(part, 'modality') ?? 'media';
  if (type === 'blob') return `[${modality}]`;
  if (type === 'uri') return marker(modality, textMember(part, 'uri'));
  return type === 'file' ? marker('file', textMember(part, 'file_id')) : null;
}

function marker(kind: string, detail: string | null): string {
  return detail === null ? `[${kind}]` : `[${kind}: ${detail}]`;
}

function partCall(part: ObjectValue): ObjectValue | null {
  const type = memberOf(part, 'type');
  if (type !== 'tool_call' && type !== 'server_tool_call') return null;
  const args = memberOf(part, type === 'tool_call' ? 'arguments' : 'server_tool_call');
  return { function: { name: memberOf(part, 'name'), arguments: args } };
}

function partFollower(part: ObjectValue): ObjectValue | null {
  const type = memberOf(part, 'type');
  if (type === 'reasoning') {
    const content = textMember(part, 'content');
    return content === null ? null : { role: 'thinking', content };
  }
  if (type !== 'tool_call_response' && type !== 'server_tool_call_response') return null;
  const response =
    memberOf(part, 'response') ?? memberOf(part, 'result') ?? memberOf(part, 'server_tool_call_response');
  return { role: 'tool', content: isAbsent(response) || typeof response === 'string' ? response : json(response) };
}

/** A text that is not empty, or null. */
function textMember(part: ObjectValue, key: string): string | null {
  const value = memberOf(part, key);
  return typeof value === 'string' && value !== '' ? value : null;
}
