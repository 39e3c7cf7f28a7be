import { isObject, keysOf, memberOf, type ObjectValue } from './json-values.ts';
import { TextTooLarge, textUnitsMax } from './text-too-large.ts';

/** How scalars and keys are written, and whether each member has a line of its own. */
export interface Notation {
  scalar(value: unknown): string;
  key(name: string): string;
  readonly isIndented: boolean;
}

/** A container that is being written. */
interface Level {
  readonly items: readonly unknown[] | ObjectValue;
  /** Null for an array. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  next: number;
}

/** Deepest level whose members have lines of their own. */
const indentedLevelsMax = 200;

/**
 * The text of an array or an object, or of a scalar. Depth costs no stack.
 * @throws {TextTooLarge}
 */
export function writeContainer(value: unknown, notation: Notation): string {
  const levels: Level[] = [];
  let text = '';
  let current: unknown = value;
  for (;;) {
    const opened = typeof current === 'object' ? levelOf(current) : null;
    if (opened === null) text += notation.scalar(current);
    else if (opened.length === 0) text += opened.keys === null ? '[]' : '{}';
    else {
      text += opened.keys === null ? '[' : '{';
      levels.push(opened);
    }
    let level = levels.at(-1);
    while (level !== undefined && level.next === level.length) {
      levels.pop();
      text += lineBreak(levels.length, levels.length, notation) + (level.keys === null ? ']' : '}');
      level = levels.at(-1);
    }
    if (text.length > textUnitsMax) throw new TextTooLarge();
    if (level === undefined) return text;
    text += separator(level, levels.length, notation);
    current = nextItem(level);
    if (level.keys !== null) text += `${notation.key(level.keys[level.next] as string)}: `;
    level.next++;
  }
}

function levelOf(value: unknown): Level | null {
  if (Array.isArray(value)) return { items: value, keys: null, length: value.length, next: 0 };
  if (!isObject(value)) return null;
  const keys = keysOf(value);
  return { items: value, keys, length: keys.length, next: 0 };
}

function nextItem({ items, keys, next }: Level): unknown {
  return keys === null ? (items as readonly unknown[])[next] : memberOf(items as ObjectValue, keys[next] as string);
}

/** Between two members, or in front of the first. */
function separator(level: Level, depth: number, notation: Notation): string {
  const isIndented = notation.isIndented && depth <= indentedLevelsMax;
  if (level.next === 0) return isIndented ? lineBreak(depth, depth - 1, notation) : '';
  return isIndented ? `,${lineBreak(depth, depth - 1, notation)}` : ', ';
}

const breaks: string[] = [];

/** A new line indented for `depth`, when the container at level `container` is one that has lines. */
function lineBreak(depth: number, container: number, notation: Notation): string {
  if (!notation.isIndented || container >= indentedLevelsMax) return '';
  return (breaks[depth] ??= `\n${'  '.repeat(depth)}`);
}
