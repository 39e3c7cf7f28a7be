import { withoutFormula } from './formula-guard.ts';
import { objectRow, templateForm, type TemplateForm } from '../result/template-form.ts';

/** Formats whose rows can be sent while they are read: one line for each row. */
export const streamFormats = ['csv', 'ndjson'] as const;
export type StreamFormat = (typeof streamFormats)[number];

/** The template of a response with these columns. @throws {AppError} 400 query_error: ndjson with two columns of the same name */
export function streamForm(format: StreamFormat, columns: readonly string[]): TemplateForm {
  if (format === 'ndjson') return templateForm(`${objectRow(columns)}\n`, '');
  const cells = columns.map((_name, index) => `\${${index}:CSV}`);
  return templateForm(`${cells.join(',')}\n`, '');
}

/** The header line of CSV. `isSafe`: names that a spreadsheet takes for formulas are made harmless. Pure. */
export function csvHeader(columns: readonly string[], isSafe: boolean): string {
  return `${columns
    .map((name) => (isSafe ? withoutFormula(name) : name))
    .map((name) => `"${name.replaceAll('"', '""')}"`)
    .join(',')}\n`;
}
