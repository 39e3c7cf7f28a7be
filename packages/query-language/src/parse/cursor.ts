import type { Token } from './lexer.ts';
import { nearestName } from '../nearest-name.ts';
import { SpanError, type Span } from '../query-error.ts';
import type { Statement } from '../tree/statements.ts';

const nestingMax = 200;

/** Reads the tokens in order. Holds the nesting depth and the statement parser, which expressions need for sub-queries. */
export class Cursor {
  readonly tokens: readonly Token[];
  readonly text: string;
  readonly parseStatement: (cursor: Cursor) => Statement;
  /** The place at which an argument begins that may be a lambda: elsewhere `x -> 'a'` is a member of x. */
  lambdaAt = -1;
  private index = 0;
  private depth = 0;
  private partners: readonly (number | undefined)[] | undefined;

  constructor(tokens: readonly Token[], text: string, parseStatement: (cursor: Cursor) => Statement) {
    this.tokens = tokens;
    this.text = text;
    this.parseStatement = parseStatement;
  }

  /** The token `ahead` places from here; the end token repeats for ever. */
  peek(ahead = 0): Token {
    return this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)] as Token;
  }

  /** Takes one token. */
  next(): Token {
    const token = this.peek();
    this.index += 1;
    return token;
  }

  /** How many tokens were taken. */
  get place(): number {
    return this.index;
  }

  /** End of the last taken token. */
  get lastEnd(): number {
    return this.tokens[this.index - 1]?.end ?? 0;
  }

  isSign(sign: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'sign' && token.text === sign;
  }

  /** Is the token a bare word equal to one of these (lower case)? */
  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'word' && token.text.length === word.length && token.text.toLowerCase() === word;
  }

  /** The token after the bracket that closes the `(` at `ahead` tokens from here; the end token when none closes it. */
  behindBracket(ahead: number): Token {
    return (
      this.tokens[(this.otherBracket(this.index + ahead) ?? this.tokens.length) + 1] ?? this.peek(this.tokens.length)
    );
  }

  /** The place of the bracket that pairs with the `(` or `)` at this place of the text, or of the other end of a template; undefined when none does. */
  otherBracket(place: number): number | undefined {
    this.partners ??= bracketPairs(this.tokens);
    return this.partners[place];
  }

  /** Do these words follow one another here? */
  areWords(...words: string[]): boolean {
    return words.every((word, ahead) => this.isWord(word, ahead));
  }

  takeSign(sign: string): boolean {
    if (!this.isSign(sign)) return false;
    this.index += 1;
    return true;
  }

  takeWords(...words: string[]): boolean {
    if (!this.areWords(...words)) return false;
    this.index += words.length;
    return true;
  }

  expectSign(sign: string): Token {
    if (!this.isSign(sign)) throw this.unexpected(`"${sign}"`);
    return this.next();
  }

  expectWord(word: string): Token {
    const { kind, text } = this.peek();
    if (!this.isWord(word))
      throw this.unexpected(word.toUpperCase(), kind === 'word' ? nearestName(text, [word])?.toUpperCase() : undefined);
    return this.next();
  }

  /** The error of an unexpected token. `suggestion`: the probably intended word. */
  unexpected(expected: string, suggestion?: string, token: Token = this.peek()): SpanError {
    const found =
      token.kind === 'end'
        ? 'the end of the query'
        : `"${this.text.slice(token.start, Math.min(token.end, token.start + 40))}"`;
    return new SpanError('syntax_error', `Expected ${expected}, found ${found}`, token, suggestion);
  }

  /** The error for a part of the language that does not work here yet. */
  notSupported(what: string, span: Span = this.peek(), instead = ''): SpanError {
    return new SpanError('not_supported', `${what} is not supported yet${instead}`, span);
  }

  /** Runs `work` one level deeper. Throws when the nesting is deeper than any sensible query. */
  nested<Result>(work: () => Result): Result {
    if (this.depth >= nestingMax)
      throw new SpanError('too_deep', `The query is nested more than ${nestingMax} levels deep`, this.peek());
    this.depth += 1;
    const result = work();
    this.depth -= 1;
    return result;
  }
}

// Position of the other half of each bracket. Computed once for a text, however many brackets are looked up.
function bracketPairs(tokens: readonly Token[]): (number | undefined)[] {
  const pairs: (number | undefined)[] = [];
  const open: number[] = [];
  tokens.forEach((token, at) => {
    if (token.kind === 'template' && token.open) open.push(at);
    if (token.kind === 'sign' && token.text === '(') open.push(at);
    const isClosing = token.kind === 'template-rest' ? !token.open : token.kind === 'sign' && token.text === ')';
    const opened = isClosing ? open.pop() : undefined;
    if (opened === undefined) return;
    pairs[opened] = at;
    pairs[at] = opened;
  });
  return pairs;
}
