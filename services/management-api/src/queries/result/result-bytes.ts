/** Parts of one response of the engine, its rows untouched. */
export interface EngineResult {
  /** Rows that are objects come without types. Results of an insight have none. */
  columns?: { name: string; type?: string }[];
  /** The rows as JSON text: zero or more arrays, or objects, with commas between them, a line each; without columns the JSON of all results. */
  rows: Uint8Array;
  rowCount: number;
}

/** Columns of rows. */
export type Columns = NonNullable<EngineResult['columns']>;

/** The bytes are not a whole response: the engine failed, or was cut off, while it wrote. */
export class BrokenResultError extends Error {
  override name = 'BrokenResultError';
}

const dataStart = '\n\t"data":\n\t[\n';
const dataEnd = '\n\t],\n\n\t"rows": ';

/**
 * Takes ClickHouse's `JSONCompact` apart without parsing a row. Safe because the format breaks lines only between its
 * own parts: inside texts (names included) line breaks are escaped, so the marks cannot be data, and each row is one
 * line.
 * @throws {BrokenResultError} when the response does not have that form, or carries an exception
 */
export function splitResult(bytes: Buffer): EngineResult {
  const start = bytes.indexOf(dataStart);
  const end = bytes.lastIndexOf(dataEnd);
  if (start === -1 || end < start + dataStart.length - 1)
    throw new BrokenResultError('the engine sent no complete result');
  const tail = bytes.toString('utf8', end + dataEnd.length);
  const rowCount = /^(\d+)[,\n]/.exec(tail)?.[1];
  if (rowCount === undefined || !tail.endsWith('\n}\n') || tail.includes('\n\t"exception":')) {
    throw new BrokenResultError('the engine failed while it wrote the result');
  }
  const rows = bytes.subarray(Math.min(start + dataStart.length, end), end);
  return { columns: headOf(bytes.toString('utf8', 0, start)), rows, rowCount: Number(rowCount) };
}

/** The columns, from the text before the rows. */
function headOf(text: string): Columns {
  return (JSON.parse(`${text.trimEnd().replace(/,$/, '')}}`) as { meta: Columns }).meta;
}

/** Rows and bytes that the engine read for a response, and its time. */
export interface Read {
  rows: number;
  bytes: number;
  seconds: number;
}

const statisticsBytesMax = 1_000;

/** The figures at the end of a whole response (`splitResult`). Pure. @throws {BrokenResultError} when they are missing */
export function readOf(response: Buffer): Read {
  const tail = response.toString('utf8', Math.max(0, response.length - statisticsBytesMax));
  const [, seconds, rows, bytes] =
    /"elapsed": ([\d.e-]+),\s+"rows_read": (\d+),\s+"bytes_read": (\d+)\s+\}\s+\}\s*$/.exec(tail) ?? [];
  if (seconds === undefined || rows === undefined || bytes === undefined)
    throw new BrokenResultError('the engine does not say what it read');
  return { rows: Number(rows), bytes: Number(bytes), seconds: Number(seconds) };
}

/** The result without its last row. */
export function withoutLastRow(result: EngineResult): EngineResult {
  const lineBreak = result.rows.lastIndexOf(0x0a);
  const end = lineBreak === -1 ? 0 : lineBreak - 1; // the comma is before the line break
  return { ...result, rows: result.rows.subarray(0, end), rowCount: Math.max(0, result.rowCount - 1) };
}

/** The rows from index `from` to before `to`, counted from 0. */
export function rowsBetween(result: EngineResult, from: number, to: number): EngineResult {
  const begin = lineStart(result.rows, from);
  const end =
    to >= result.rowCount
      ? result.rows.length
      : lineStart(result.rows, to, { at: begin, row: Math.min(from, result.rowCount) }) - 2;
  const rowCount = Math.max(0, Math.min(to, result.rowCount) - from);
  return { ...result, rows: rowCount === 0 ? result.rows.subarray(0, 0) : result.rows.subarray(begin, end), rowCount };
}

/** Start of a row; each row is one line. The end of the rows when there are fewer. */
function lineStart(rows: Uint8Array, row: number, known = { at: 0, row: 0 }): number {
  let { at } = known;
  for (let current = known.row; current < row; current++) {
    const lineBreak = rows.indexOf(0x0a, at);
    if (lineBreak === -1) return rows.length;
    at = lineBreak + 1;
  }
  return at;
}
