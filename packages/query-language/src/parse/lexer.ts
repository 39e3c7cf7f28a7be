import { SpanError } from '../query-error.ts';
import { unescapeQuoted, unescapeTemplate } from './literals.ts';

/**
 * `word`: bare name or keyword; `name`: quoted name; `string`, `number`: literals; `sign`: operators and brackets; `template`: the text of
 * `f'…'` up to its first expression or its end; `template-rest`: the text after one of its expressions.
 */
type TokenKind = 'word' | 'name' | 'string' | 'number' | 'sign' | 'template' | 'template-rest' | 'end';

/** One token. `text` is the word as written, the unescaped content of a quoted token, the digits, or the sign. */
export interface Token {
  kind: TokenKind;
  text: string;
  start: number;
  end: number;
  /** A part of a template that an expression follows. */
  open?: true;
}

const blank = /\s+|--[^\n]*|\/\/[^\n]*/y;
const word = /[A-Za-z_$][A-Za-z0-9_$]*/y;
const number =
  /0[xX][0-9a-fA-F]+|0[bB][01]+|\d+(?:\.\d+|\.(?=[eE][+-]?\d)|\.(?![\w$.]))?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?/y;
const digits = /\d+/y;
const sign = /!~\*|=~\*|~\*|<=>|->>|[<>=!]=|<>|=~|!~|->|::|\|\||&&|\?\?|\?\.|:=|[()[\]{},.;:?=<>+\-*/%~]/y;
const quotes = new Set(["'", '"', '`']);

/** Cuts the text into tokens, the last of kind `end`. Linear in the text. Throws `SpanError` for what no token can start with. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const templates = new OpenTemplates();
  let at = skipBlank(text, 0);
  while (at < text.length) {
    const token = templates.closes(text.charAt(at))
      ? readTemplate(text, at, 1)
      : readToken(text, at, tokens[tokens.length - 1]);
    templates.follow(token);
    tokens.push(token);
    at = skipBlank(text, token.end);
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

// Open braces in the expression of each template around.
class OpenTemplates {
  private readonly braces: number[] = [];

  // Does this end the expression of a template?
  closes(character: string): boolean {
    return character === '}' && this.braces[this.braces.length - 1] === 0;
  }

  follow({ kind, text, open }: Token): void {
    const last = this.braces.length - 1;
    if (kind === 'template' && open) this.braces.push(0);
    else if (kind === 'template-rest' && !open) this.braces.pop();
    else if (kind === 'sign' && last >= 0 && (text === '{' || text === '}'))
      this.braces[last] = (this.braces[last] as number) + (text === '{' ? 1 : -1);
  }
}

function readToken(text: string, at: number, previous: Token | undefined): Token {
  const first = text.charAt(at);
  if (quotes.has(first)) return readQuoted(text, at, first);
  if (first === 'f' && text.charAt(at + 1) === "'") return readTemplate(text, at, 2);
  const found = startsWord(first)
    ? match(word, 'word', text, at)
    : (readNumber(text, at, first, previous) ?? match(sign, 'sign', text, at));
  if (!found) throw unexpectedCharacter(text, at);
  return found;
}

function startsWord(character: string): boolean {
  return (
    (character >= 'a' && character <= 'z') ||
    (character >= 'A' && character <= 'Z') ||
    character === '_' ||
    character === '$'
  );
}

function readNumber(text: string, at: number, first: string, previous: Token | undefined): Token | undefined {
  if (first !== '.' && (first < '0' || first > '9')) return undefined;
  // A dot precedes a member's number: `a.1.2` has two of them.
  if (previous?.kind === 'sign' && (previous.text === '.' || previous.text === '?.'))
    return match(digits, 'number', text, at);
  if (first === '.' && previous !== undefined && previous.end === at && endsOperand(previous)) return undefined;
  const found = match(number, 'number', text, at);
  if (found) refuseGluedWord(text, found);
  return found;
}

function match(pattern: RegExp, kind: TokenKind, text: string, at: number): Token | undefined {
  pattern.lastIndex = at;
  return pattern.test(text)
    ? { kind, text: text.slice(at, pattern.lastIndex), start: at, end: pattern.lastIndex }
    : undefined;
}

// Right after an operand a dot is an access (`a.1`), elsewhere it starts a number (`.5`).
function endsOperand(token: Token): boolean {
  return (token.kind !== 'sign' && !token.open) || token.text === ')' || token.text === ']' || token.text === '}';
}

function refuseGluedWord(text: string, token: Token): void {
  if (/[\w$]/.test(text.charAt(token.end))) {
    throw new SpanError('syntax_error', `"${token.text}${text.charAt(token.end)}" is neither a number nor a name`, {
      start: token.start,
      end: token.end + 1,
    });
  }
}

function readQuoted(text: string, at: number, quote: string): Token {
  let end = at + 1;
  for (;;) {
    const close = nextOf(text, end, quote);
    if (close === -1)
      throw new SpanError('syntax_error', `The quote ${quote} is never closed`, { start: at, end: text.length });
    if (text.charAt(close) === '\\') end = close + 2;
    else if (text.charAt(close + 1) === quote) end = close + 2;
    else {
      const content = unescapeQuoted(text.slice(at + 1, close), quote);
      return { kind: quote === "'" ? 'string' : 'name', text: content, start: at, end: close + 1 };
    }
  }
}

// Text of a template, from `f'` or from the brace after an expression, up to the next expression or the end.
function readTemplate(text: string, at: number, opening: 1 | 2): Token {
  const from = at + opening;
  for (let end = from; end < text.length; end += 1) {
    const character = text.charAt(end);
    if (character === '\\' || (character === "'" && text.charAt(end + 1) === "'")) end += 1;
    else if (character === "'" || character === '{') {
      const kind = opening === 2 ? 'template' : 'template-rest';
      return {
        kind,
        text: unescapeTemplate(text.slice(from, end)),
        start: at,
        end: end + 1,
        ...(character === '{' ? { open: true } : {}),
      };
    }
  }
  throw new SpanError('syntax_error', `The quote ' is never closed`, { start: at, end: text.length });
}

function nextOf(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === quote || character === '\\') return at;
  }
  return -1;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    blank.lastIndex = at;
    if (blank.test(text)) {
      at = blank.lastIndex;
      continue;
    }
    if (!text.startsWith('/*', at)) return at;
    const close = text.indexOf('*/', at + 2);
    if (close === -1)
      throw new SpanError('syntax_error', 'The comment /* is never closed', { start: at, end: text.length });
    at = close + 2;
  }
}

const quotesInstead = "; a text is written in straight single quotes: 'paid'";

/** Signs of other languages that this one has not. */
const neighbours: Readonly<Record<string, string>> = {
  '&': '; for the bits of two numbers write bitAnd(a, b), and join conditions with AND',
  '|': '; for the bits of two numbers write bitOr(a, b), and join conditions with OR and texts with ||',
  '^': '; for a power write pow(a, b), and for the bits of two numbers bitXor(a, b)',
  '!': '; write NOT before a condition, and != for "is not"',
  '@>': "; for a key and its value write properties.plan = 'pro', and for a list has(list, item)",
  '<@': '; write has(list, item), or hasAll(list, items)',
  '?|': "; for a key of an object write JSONHas(properties, 'plan')",
  '?&': "; for a key of an object write JSONHas(properties, 'plan')",
  '#>': '; write the path with dots: properties.address.city',
  '#': '; a comment begins with --',
  '‘': quotesInstead,
  '’': quotesInstead,
  '“': quotesInstead,
  '”': quotesInstead,
  '@': '; write a variable in braces: {variables.name}',
};

function unexpectedCharacter(text: string, at: number): SpanError {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const hint = /\p{L}/u.test(character)
    ? '; quote names that are not plain letters, digits, _ and $: `name`'
    : ([text.slice(at, at + 2), text.slice(Math.max(at - 1, 0), at + 1), character]
        .map((written) => (Object.hasOwn(neighbours, written) ? neighbours[written] : undefined))
        .find((found) => found !== undefined) ?? '');
  return new SpanError('syntax_error', `Unexpected character ${JSON.stringify(character)}${hint}`, {
    start: at,
    end: at + character.length,
  });
}
