import { withoutFormula } from './formula-guard.ts';
import { objectRow, templateForm, type TemplateForm } from '../result/template-form.ts';

/** Formats in which rows can be sent while they are read: a line a row. */
export const streamFormats = ['csv', 'ndjson'] as const;
export type StreamFormat = (typeof streamFormats)[number];

/** The form of one answer, rows of these columns. @throws {AppError} 400 query_error: rows with names where two columns have the same */
export function streamForm(format: StreamFormat, columns: readonly string[]): TemplateForm {
  if (format === 'ndjson') return templateForm(`${objectRow(columns)}\n`, '');
  const cells = columns.map((_name, index) => `\${${index}:CSV}`);
  return templateForm(`${cells.join(',')}\n`, '');
}

/** The first line of CSV. `isSafe`: no name is a formula to a spreadsheet. Pure. */
export function csvHeader(columns: readonly string[], isSafe: boolean): string {
  return `${columns
    .map((name) => (isSafe ? withoutFormula(name) : name))
    .map((name) => `"${name.replaceAll('"', '""')}"`)
    .join(',')}\n`;
}
