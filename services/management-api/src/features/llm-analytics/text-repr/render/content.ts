import { firstCodePoints } from '../values/code-points.ts';
import { isAbsent, isObject, isTruthy, memberOf, type ObjectValue } from '../values/json-values.ts';
import { json, pystr } from '../values/python-text.ts';
import {
  blockCall,
  blockResult,
  contentResult,
  isCallBlock,
  isCollectedCall,
  labelled,
  namedText,
  typedBlockText,
  usualText,
  type ToolResult,
} from './blocks.ts';
import { callText } from './calls.ts';
import { holdsMedia } from './media.ts';

/** Longest Python text of a content that no rule knows. */
const dumpLengthMax = 500;
/** Contents inside contents are read so deep; what is deeper is dumped as JSON. */
const depthMax = 100;

/** A call that is written inside a content. */
interface InlineCall {
  readonly name: string;
  /** Where it begins in the text, in UTF-16 units. */
  readonly at: number;
}

export interface Content {
  readonly text: string;
  readonly calls: readonly InlineCall[];
}

/** Where a content stands. The calls of an answer's blocks are collected beside it, so they are left out of its text. */
export type Place = 'input' | 'answer';

/** The content of a message as text (contract/llm-surveys 5.4). Empty: no content. */
export function contentOf(content: unknown, place: Place): Content {
  return Array.isArray(content) ? arrayContent(content, place, 0) : { text: contentText(content), calls: [] };
}

/** The text of what a tool took or gave: empty only when nothing was recorded; 0 and false are results. */
export function payloadText(payload: unknown, depth = 0): string {
  if (isAbsent(payload)) return '';
  if (typeof payload === 'object' && !isTruthy(payload) && (Array.isArray(payload) || isObject(payload))) return '';
  return contentText(payload, depth);
}

function contentText(content: unknown, depth = 0): string {
  if (typeof content === 'string') return content;
  if (depth > depthMax) return json(content);
  if (Array.isArray(content)) return arrayContent(content, 'input', depth).text;
  return isObject(content) ? objectText(content, depth) : pystr(content);
}

/** `text`, else the content inside, else JSON; blocks whose type says more by their type. */
function objectText(object: ObjectValue, depth: number): string {
  const text = memberOf(object, 'text');
  if (!isAbsent(text)) return pystr(text);
  const known = knownText(object, depth);
  if (known !== null) return known;
  const content = memberOf(object, 'content');
  return isAbsent(content) ? json(object) : contentText(content, depth + 1);
}

/** The text of a block that has neither `text` nor `content`; null when its type says nothing. */
function knownText(block: ObjectValue, depth: number): string | null {
  if (usualText(block) !== undefined) return null;
  const result = blockResult(block);
  if (result !== null) return resultText(result, depth);
  const named = namedText(block);
  if (isTruthy(named)) return labelled(block, pystr(named));
  const summary = memberOf(block, 'type') === 'reasoning' ? memberOf(block, 'summary') : undefined;
  if (isTruthy(summary)) return labelled(block, contentText(summary, depth + 1));
  return typedBlockText(block);
}

function resultText({ label, output }: ToolResult, depth: number): string {
  const text = payloadText(output, depth + 1);
  return text === '' ? label : `${label}\n\n${text}`;
}

function arrayContent(blocks: readonly unknown[], place: Place, depth: number): Content {
  const hasCalls = blocks.some(isCallBlock);
  const parts: string[] = [];
  const calls: InlineCall[] = [];
  let length = 0;
  let isAnyCollected = false;
  for (const block of blocks) {
    const call = hasCalls && isObject(block) ? blockCall(block) : null;
    if (call !== null && place === 'answer' && isCollectedCall(block as ObjectValue)) {
      isAnyCollected = true;
      continue;
    }
    const text = call === null ? partText(block, hasCalls, depth) : callText(call);
    if (text === null) continue;
    if (call !== null) calls.push({ name: call.name, at: length });
    parts.push(text);
    length += text.length + 2;
  }
  if (parts.length > 0) return { text: parts.join('\n\n'), calls };
  return { text: isAnyCollected ? '' : dump(blocks), calls };
}

/** The text of a block that is no call; null when it has none. */
function partText(block: unknown, isBesideCalls: boolean, depth: number): string | null {
  if (typeof block === 'string') return block;
  if (!isObject(block)) return null;
  return isBesideCalls ? textBesideCalls(block, depth) : plainText(block, depth);
}

function textBesideCalls(block: ObjectValue, depth: number): string | null {
  const result = contentResult(block);
  const text = result === null ? objectText(block, depth) : resultText(result, depth);
  return text === '' ? null : text;
}

function plainText(block: ObjectValue, depth: number): string | null {
  const text = usualText(block);
  if (text === undefined) return knownText(block, depth);
  return labelled(block, holdsMedia(text) ? contentText(text, depth + 1) : pystr(text));
}

function dump(blocks: readonly unknown[]): string {
  const text = pystr(blocks);
  const beginning = firstCodePoints(text, dumpLengthMax);
  return beginning === text ? text : `${beginning}...`;
}
