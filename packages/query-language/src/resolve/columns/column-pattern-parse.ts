import { SpanError, type Span } from '../../query-error.ts';

/** A part of a pattern for names of columns. */
export type PatternNode =
  | { kind: 'take'; take: (code: number) => boolean }
  | { kind: 'at'; at: 'begin' | 'end' }
  | { kind: 'sequence'; parts: PatternNode[] }
  | { kind: 'choice'; parts: PatternNode[] }
  | { kind: 'repeat'; part: PatternNode; least: number; most: number };

const lengthMax = 200;
const timesMax = 100;

const nothing: PatternNode = { kind: 'sequence', parts: [] };

/** Reads a pattern. What stands for nothing in it, as `()` and `x{0}`, is an empty sequence, and no part of another. Throws `SpanError` for what is none, and for back references, look-arounds and `\b`. */
export function parsePattern(text: string, span: Span): PatternNode {
  if (text.length > lengthMax)
    throw new SpanError('query_too_large', `The pattern of COLUMNS is longer than ${lengthMax} characters`, span);
  return new PatternParser(text, span).whole();
}

const classes: Readonly<Record<string, string>> = { d: '09', w: '09AZaz__', s: '\t\r  ' };
const characters: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v' };

class PatternParser {
  private readonly text: string;
  private readonly span: Span;
  private readonly anyCase: boolean;
  private at: number;

  constructor(text: string, span: Span) {
    this.text = text;
    this.span = span;
    this.anyCase = text.startsWith('(?i)');
    this.at = this.anyCase ? 4 : 0;
  }

  whole(): PatternNode {
    const pattern = this.choice();
    if (this.at < this.text.length) throw this.error('a ) closes nothing');
    return pattern;
  }

  private choice(): PatternNode {
    const parts = [this.sequence()];
    while (this.taken('|')) parts.push(this.sequence());
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'choice', parts };
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.at < this.text.length && !this.is('|') && !this.is(')')) {
      const part = this.repeated(this.atom());
      if (!isNothing(part)) parts.push(part);
    }
    return { kind: 'sequence', parts };
  }

  private repeated(part: PatternNode): PatternNode {
    const [whole = '', least = '', comma = '', most = ''] =
      /^(?:[*+?]|\{(\d{1,4})(,?)(\d{0,4})\})/.exec(this.text.slice(this.at)) ?? [];
    if (whole === '') return part;
    this.at += whole.length;
    // Lazy or not: only whether there is a match matters, not which.
    this.taken('?');
    const open = /^(?:[*+]|\{\d+,\})$/.test(whole) ? Infinity : undefined;
    const [from, to] =
      whole === '*' || whole === '?'
        ? [0, open ?? 1]
        : whole === '+'
          ? [1, Infinity]
          : [Number(least), open ?? Number(comma === '' ? least : most)];
    if (from > to || from > timesMax || (to > timesMax && to !== Infinity))
      throw this.error(`${whole} is not a number of times up to ${timesMax}`);
    if (/^[*+?]|^\{\d+(?:,\d*)?\}/.test(this.text.slice(this.at)))
      throw this.error('two repetitions follow one another');
    // Repeated nothings within one another would be gone through without end, and without a step that is counted.
    return to === 0 || isNothing(part) ? nothing : { kind: 'repeat', part, least: from, most: to };
  }

  private atom(): PatternNode {
    const character = this.next();
    if (character === '(') return this.group();
    if (character === '[') return this.oneOf();
    if (character === '.') return { kind: 'take', take: () => true };
    if (character === '^' || character === '$') return { kind: 'at', at: character === '^' ? 'begin' : 'end' };
    if (character === '*' || character === '+' || character === '?') throw this.error(`${character} repeats nothing`);
    const [ranges, negated] = character === '\\' ? this.escaped() : [character + character, false];
    return this.taking(ranges, negated);
  }

  private group(): PatternNode {
    if (this.is('?') && !this.text.startsWith('?:', this.at))
      throw this.error('of the groups that begin with (? only (?:…) is supported, and (?i) at the start');
    if (this.taken('?')) this.next();
    const inside = this.choice();
    if (!this.taken(')')) throw this.error('a ( is never closed');
    return inside;
  }

  private oneOf(): PatternNode {
    const negated = this.taken('^');
    let ranges = '';
    for (let first = true; first || !this.is(']'); first = false) ranges += this.range();
    this.next();
    return this.taking(ranges, negated);
  }

  private range(): string {
    const first = this.member();
    if (!isOne(first) || !this.is('-') || this.text.charAt(this.at + 1) === ']') return first;
    this.next();
    const last = this.member();
    if (!isOne(last) || last < first) throw this.error('a class has an invalid range');
    return first.charAt(0) + last.charAt(1);
  }

  private member(): string {
    const character = this.next();
    if (character !== '\\') return character + character;
    const [ranges, negated] = this.escaped();
    if (negated) throw this.error('a class cannot hold \\D, \\W or \\S');
    return ranges;
  }

  // Ranges as pairs of characters, and whether they are what is not meant.
  private escaped(): [ranges: string, negated: boolean] {
    const character = this.next();
    const known = classes[character.toLowerCase()];
    if (known !== undefined) return [known, character !== character.toLowerCase()];
    const plain = characters[character] ?? character;
    if (plain === character && /[A-Za-z0-9]/.test(character)) throw this.error(`\\${character} is not supported`);
    return [plain + plain, false];
  }

  private taking(ranges: string, negated: boolean): PatternNode {
    const within = (code: number): boolean => {
      for (let at = 0; at < ranges.length; at += 2)
        if (code >= ranges.charCodeAt(at) && code <= ranges.charCodeAt(at + 1)) return true;
      return false;
    };
    const inAnyCase = (code: number): boolean => within(code) || within(otherCase(code));
    const positive = this.anyCase ? inAnyCase : within;
    return { kind: 'take', take: negated ? (code) => !positive(code) : positive };
  }

  private is(character: string): boolean {
    return this.text.charAt(this.at) === character;
  }

  private taken(character: string): boolean {
    if (!this.is(character)) return false;
    this.at += 1;
    return true;
  }

  private next(): string {
    if (this.at >= this.text.length) throw this.error('it ends too early');
    this.at += 1;
    return this.text.charAt(this.at - 1);
  }

  private error(message: string): SpanError {
    return new SpanError('wrong_arguments', `'${this.text}' is not a valid pattern of COLUMNS: ${message}`, this.span);
  }
}

function isNothing(node: PatternNode): boolean {
  return node.kind === 'sequence' && node.parts.length === 0;
}

// Is it one character, not a class?
function isOne(ranges: string): boolean {
  return ranges.length === 2 && ranges.charAt(0) === ranges.charAt(1);
}

function otherCase(code: number): number {
  const character = String.fromCharCode(code);
  const lower = character.toLowerCase();
  return (lower === character ? character.toUpperCase() : lower).charCodeAt(0);
}
