/** A stretch of the query's text. `line` and `column` count from 1, `start` and `end` are UTF-16 offsets from 0 (end not included). */
export interface TextPosition {
  line: number;
  column: number;
  start: number;
  end: number;
}

/** What went wrong, for programs. The table is closed: every error of this package has one of these codes. */
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

/** A fault inside the core, before the text it belongs to is known. Becomes a `QueryError` at the package's edge. */
export class QueryFault extends Error {
  readonly code: QueryErrorCode;
  readonly span: Span;
  readonly suggestion: string | undefined;

  constructor(code: QueryErrorCode, message: string, span: Span, suggested?: string) {
    const suggestion = suggested === undefined || suggested.length > nameLengthMax ? undefined : suggested;
    const short = message.length > messageLengthMax ? `${message.slice(0, messageLengthMax)}…` : message;
    super(suggestion === undefined ? short : `${short}. Did you mean "${suggestion}"?`);
    this.name = 'QueryFault';
    this.code = code;
    this.span = { start: span.start, end: span.end };
    this.suggestion = suggestion;
  }
}

/** The query cannot be accepted. The message is meant for the query's author; it names what is unknown and the nearest known name. */
export class QueryError extends Error {
  readonly code: QueryErrorCode;
  readonly position: TextPosition;
  readonly suggestion: string | undefined;

  constructor({ message, code, position, suggestion }: QueryProblem) {
    super(message);
    this.name = 'QueryError';
    this.code = code;
    this.position = position;
    this.suggestion = suggestion;
  }
}

/** Contents of a `QueryError`, as plain data. */
export interface QueryProblem {
  message: string;
  code: QueryErrorCode;
  position: TextPosition;
  suggestion: string | undefined;
}

/** A fault with its place in the text. */
export function queryErrorOf(fault: QueryFault, text: string): QueryError {
  const position = locate(text, fault.span);
  return new QueryError({ message: `${fault.message}${hintOf(fault, text)} (line ${position.line}, column ${position.column})`, code: fault.code, position, suggestion: fault.suggestion });
}

// Many write texts so; here double quotes stand around names.
function hintOf({ code, span, suggestion }: QueryFault, text: string): string {
  return code === 'unknown_column' && suggestion === undefined && text[span.start] === '"' ? '; a text stands in single quotes' : '';
}

/** Line and column of a span. */
function locate(text: string, span: Span): TextPosition {
  const start = Math.min(Math.max(span.start, 0), text.length);
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: start - lineStart + 1, start, end: Math.max(span.end, start) };
}

/** Runs `work`; a fault inside it is thrown as the `QueryError` of `text`. Other errors pass through. */
export function withPositions<Result>(text: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof QueryFault) throw queryErrorOf(error, text);
    throw error;
  }
}
