import { randomBytes } from 'node:crypto';
import { AppError } from '@millrace/http/errors/errors.ts';
import { BrokenResultError, type EngineResult, type Read } from './result-bytes.ts';

/** The format in which ClickHouse writes a response. */
export interface EngineForm {
  /** Name after `FORMAT`. */
  engineFormat: 'JSONCompact' | 'Template';
  settings: Readonly<Record<string, string>>;
}

/** A format of our own: rows, a random mark that no data can hold, and the figures of the response as the end of a JSON object. */
export interface TemplateForm extends EngineForm {
  endMark: string;
}

/** A format of ClickHouse's `Template` with this row and separator. The figures follow a random mark that no data can contain. */
export function templateForm(row: string, between: string): TemplateForm {
  const endMark = randomBytes(16).toString('hex');
  const numbers =
    '${rows:JSON},"statistics":{"elapsed":${time:JSON},"rows_read":${rows_read:JSON},"bytes_read":${bytes_read:JSON}}}';
  const settings = {
    format_template_row_format: row,
    format_template_rows_between_delimiter: between,
    format_template_resultset_format: `\${data}${endMark}${numbers}`,
    format_csv_null_representation: '',
    output_format_csv_serialize_tuple_into_separate_columns: '0',
  };
  return { engineFormat: 'Template', settings, endMark };
}

/** Rows as objects of these columns, a line each, with commas between. @throws {AppError} 400 query_error: two columns have the same name */
export function objectsForm(columns: readonly string[]): TemplateForm {
  return templateForm(objectRow(columns), ',\n');
}

/** The template of a row that is an object. @throws {AppError} 400 query_error: two columns have the same name */
export function objectRow(columns: readonly string[]): string {
  const twin = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twin !== undefined)
    throw new AppError('query_error', {
      detail: `Two columns are called ${JSON.stringify(twin.slice(0, 200))}. Give them different names with AS, or ask for rows as lists.`,
    });
  const cells = columns.map((name, index) => `${plain(JSON.stringify(name))}:\${${index}:JSON}`);
  return `{${cells.join(',')}}`;
}

/** A text, escaped for a template. */
function plain(text: string): string {
  return text.replaceAll('$', '$$$$');
}

/** Splits a whole response in this form, its rows unchanged. @throws {BrokenResultError} when it is not complete */
export function splitTemplate(
  bytes: Buffer,
  { endMark }: Pick<TemplateForm, 'endMark'>,
  columns: readonly string[],
): { result: EngineResult; read: Read } {
  const end = bytes.lastIndexOf(endMark);
  const { rows, read } = readEnd(end === -1 ? undefined : bytes.subarray(end + endMark.length));
  return { result: { columns: columns.map((name) => ({ name })), rows: bytes.subarray(0, end), rowCount: rows }, read };
}

/**
 * Reads the figures after the end mark; undefined: there was no mark.
 * @throws {BrokenResultError} when they are not complete, or hold an exception
 */
export function readEnd(behind: Buffer | undefined): { rows: number; read: Read } {
  if (behind === undefined) throw new BrokenResultError('the engine sent no complete result');
  try {
    const { rows, statistics, exception } = JSON.parse(`{"rows":${behind.toString()}`) as {
      rows: number;
      statistics: { elapsed: number; rows_read: number; bytes_read: number };
      exception?: string;
    };
    if (exception !== undefined) throw new Error('the response ends with an exception');
    return { rows, read: { rows: statistics.rows_read, bytes: statistics.bytes_read, seconds: statistics.elapsed } };
  } catch (cause) {
    throw new BrokenResultError('the engine sent no complete result', { cause });
  }
}
