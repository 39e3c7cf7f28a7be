import { randomBytes } from 'node:crypto';
import { AppError } from '@millrace/http/errors/errors.ts';
import { withoutFormula } from './formula-guard.ts';

/** What rows can be sent as while they are read. */
export const streamFormats = ['json', 'objects', 'csv', 'ndjson'] as const;
/** One of them: `json` and `objects` are one document each, the others a line a row. */
export type StreamFormat = (typeof streamFormats)[number];

/** How ClickHouse is asked to write an answer, and by which marks its parts are told. */
export interface StreamForm {
  /** Behind `FORMAT`. */
  engineFormat: 'JSONCompact' | 'Template';
  settings: Readonly<Record<string, string>>;
  /** Before it the columns stand, behind it the rows; undefined: there are only rows. No data can hold it. */
  startMark: string | undefined;
  /** Behind it are the numbers, as the end of an object of JSON. No data can hold it. */
  endMark: string;
  /** Stands between two rows, where they can be told by their bytes alone. No data can hold it. */
  rowMark: string | undefined;
}

// It breaks lines between its own parts only: within texts, names included, line breaks are escaped.
const compact: StreamForm = {
  engineFormat: 'JSONCompact',
  settings: {},
  startMark: '\n\t"data":\n\t[',
  endMark: '\n\t],\n\n\t"rows": ',
  rowMark: ',\n\t\t[',
};

/**
 * The form of one answer, rows of these columns.
 * @throws {AppError} 400 query_error: rows with names where two columns have the same
 */
export function streamForm(format: StreamFormat, columns: readonly string[]): StreamForm {
  if (format === 'objects' || format === 'ndjson') refuseTwins(columns);
  if (format === 'json') return compact;
  const cells = columns.map((name, index) =>
    format === 'csv' ? `\${${index}:CSV}` : `${plain(JSON.stringify(name))}:\${${index}:JSON}`,
  );
  if (format === 'csv') return template(`${cells.join(',')}\n`, '');
  return format === 'ndjson'
    ? template(`{${cells.join(',')}}\n`, '')
    : { ...template(`{${cells.join(',')}}`, ',\n'), rowMark: ',\n{' };
}

/** The first line of CSV. `isSafe`: no name is a formula to a spreadsheet. Pure. */
export function csvHeader(columns: readonly string[], isSafe: boolean): string {
  return `${columns
    .map((name) => (isSafe ? withoutFormula(name) : name))
    .map((name) => `"${name.replaceAll('"', '""')}"`)
    .join(',')}\n`;
}

/** Rows as ClickHouse's `Template` writes them; the numbers stand behind a word that nobody can know before. */
function template(row: string, between: string): StreamForm {
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
  return { engineFormat: 'Template', settings, startMark: undefined, endMark, rowMark: undefined };
}

/** A text as a template writes it. */
function plain(text: string): string {
  return text.replaceAll('$', '$$$$');
}

function refuseTwins(columns: readonly string[]): void {
  const twin = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twin === undefined) return;
  throw new AppError('query_error', {
    detail: `Two columns are called ${JSON.stringify(twin.slice(0, 200))}: give them names with AS, or ask for rows as lists.`,
  });
}
