/** A range of the query's text. `line` and `column` count from 1, `start` and `end` are UTF-16 offsets from 0 (end not included). */
export interface TextPosition {
  line: number;
  column: number;
  start: number;
  end: number;
}

/** Codes of errors, for programs. The table is closed: every error of this package has one of these codes. */
export type QueryErrorCode =
  | 'syntax_error'
  | 'query_too_large'
  | 'too_deep'
  | 'not_supported'
  | 'not_allowed'
  | 'unknown_table'
  | 'unknown_column'
  | 'ambiguous_column'
  | 'unknown_function'
  | 'wrong_arguments'
  | 'type_mismatch'
  | 'invalid_name'
  | 'illegal_aggregate'
  | 'not_storable'
  | 'unknown_variable'
  | 'invalid_value';

/** Start and end offsets: what every node and token of the tree has. */
export interface Span {
  start: number;
  end: number;
}

// Messages name what the author wrote, which may be long.
const messageLengthMax = 1_000;
const nameLengthMax = 500;

/** A message or suggestion that quotes the text at its position. Without a text, `fallback` is quoted. */
export interface Quoting {
  saying: (written: string) => string;
  fallback: string;
}

/** An error at a span, thrown inside the package, where the text is not at hand. `withPositions` turns it into a `QueryError`. */
export class SpanError extends Error {
  readonly code: QueryErrorCode;
  readonly span: Span;

  private readonly said: string | Quoting;
  private readonly suggested: string | Quoting | undefined;

  constructor(code: QueryErrorCode, message: string | Quoting, span: Span, suggested?: string | Quoting) {
    super(worded(quotedIn(message), shortened(suggested && quotedIn(suggested))));
    this.name = 'SpanError';
    this.said = message;
    this.suggested = suggested;
    this.code = code;
    this.span = { start: span.start, end: span.end };
  }

  /** The message and the suggestion, with the text at its position. */
  wordsIn(text: string | undefined): { message: string; suggestion: string | undefined } {
    const written = text?.slice(this.span.start, this.span.end);
    const suggestion = shortened(this.suggested && quotedIn(this.suggested, written));
    return { message: worded(quotedIn(this.said, written), suggestion), suggestion };
  }
}

function quotedIn(words: string | Quoting, written?: string): string {
  return typeof words === 'string' ? words : words.saying(written ?? words.fallback);
}

function shortened(suggestion: string | undefined): string | undefined {
  return suggestion === undefined || suggestion.length > nameLengthMax ? undefined : suggestion;
}

function worded(message: string, suggestion: string | undefined): string {
  const short = message.length > messageLengthMax ? `${message.slice(0, messageLengthMax)}…` : message;
  return suggestion === undefined ? short : `${short}. Did you mean "${suggestion}"?`;
}

/** The query cannot be accepted. The message is for the query's author: it names the unknown name and the nearest known one. */
export class QueryError extends Error {
  readonly code: QueryErrorCode;
  readonly position: TextPosition;
  readonly suggestion: string | undefined;

  constructor({ message, code, position, suggestion }: QueryErrorFields) {
    super(message);
    this.name = 'QueryError';
    this.code = code;
    this.position = position;
    this.suggestion = suggestion;
  }
}

/** Contents of a `QueryError`, as plain data. */
export interface QueryErrorFields {
  message: string;
  code: QueryErrorCode;
  position: TextPosition;
  suggestion: string | undefined;
}

/** The `QueryError` of a span error. Without the text its position is the beginning, and the message names none. */
export function queryErrorOf(error: SpanError, text: string | undefined): QueryError {
  const { message, suggestion } = error.wordsIn(text);
  if (text === undefined)
    return new QueryError({
      message,
      code: error.code,
      position: { line: 1, column: 1, start: 0, end: 0 },
      suggestion,
    });
  const position = locate(text, error.span);
  const hint = suggestion === undefined ? hintOf(error, text) : '';
  return new QueryError({
    message: `${message}${hint} (line ${position.line}, column ${position.column})`,
    code: error.code,
    position,
    suggestion,
  });
}

// Many write texts in double quotes; here these enclose names.
function hintOf({ code, span }: SpanError, text: string): string {
  return code === 'unknown_column' && text[span.start] === '"' ? '; write a text in single quotes' : '';
}

/** Line and column of a span. */
export function locate(text: string, span: Span): TextPosition {
  const start = Math.min(Math.max(span.start, 0), text.length);
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: start - lineStart + 1, start, end: Math.max(span.end, start) };
}

/** Runs `work`. A `SpanError` inside it is thrown as the `QueryError` of `text`, if there is one; other errors pass through. */
export function withPositions<Result>(text: string | undefined, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof SpanError) throw queryErrorOf(error, text);
    throw error;
  }
}
