import { AppError } from '@millrace/http/errors/errors.ts';
import type { Chart, TotalsChart } from '../chart.ts';
import { isTime, timeLabels } from './time-label.ts';

/** Rows of an answer to SQL, parsed; `types` are ClickHouse's, where the answer has them. */
export interface ChartedRows {
  columns: readonly string[];
  types?: readonly (readonly [name: string, type: string])[] | undefined;
  results: readonly (readonly unknown[])[];
}

/**
 * Chart of rows: a text and a number are horizontal bars in the order of the rows, a time and a number a line in order of time,
 * two numbers upright bars, one row of one number that number. Pure.
 * @throws {AppError} 400 on `format` that says what is needed
 */
export function chartOfRows(rows: ChartedRows, title: string): Chart {
  const { columns, results } = rows;
  if (columns.length === 1 && results.length <= 1 && isNumeric(rows, 0)) {
    const numbers = results.map(([value]) => ({
      label: columns[0] ?? '',
      value: numberOf(value),
      unit: 'count' as const,
    }));
    return { form: 'numbers', title, numbers };
  }
  if (columns.length !== 2 || !isNumeric(rows, 1)) throw notDrawable(rows);
  const kind = kindOf(rows, 0);
  if (kind === undefined) throw notDrawable(rows);
  if (kind === 'time') return overTime(rows, title);
  const chart: Omit<TotalsChart, 'form'> = {
    title,
    labels: results.map(([label]) => labelOf(label)),
    series: [{ label: columns[1] ?? '', values: results.map(([, value]) => numberOf(value)), colour: 0 }],
    unit: 'count',
  };
  return kind === 'text' ? { form: 'totals', ...chart } : { form: 'bars', layout: 'grouped', ...chart };
}

function overTime({ columns, results }: ChartedRows, title: string): Chart {
  const points = results
    .flatMap(([time, value]) => (typeof time === 'string' ? [{ time, value: numberOf(value) }] : []))
    .toSorted((left, right) => (left.time < right.time ? -1 : Number(left.time > right.time)));
  return {
    form: 'line',
    title,
    labels: timeLabels(points.map(({ time }) => time)),
    series: [{ label: columns[1] ?? '', values: points.map(({ value }) => value), colour: 0 }],
    unit: 'count',
  };
}

type ColumnKind = 'text' | 'time' | 'number';

const kindsOfTypes: readonly [RegExp, ColumnKind][] = [
  [/^(?:U?Int|Float|BFloat|Decimal)/, 'number'],
  [/^Date/, 'time'],
  [/^(?:String|FixedString|Enum|UUID|Bool|IPv)/, 'text'],
];

/** Kind of a column by its type, else by its values; undefined for lists, maps and mixed values. */
function kindOf({ types, results }: ChartedRows, column: number): ColumnKind | undefined {
  const type = types?.[column]?.[1];
  if (type !== undefined) {
    const inner = type.replaceAll(/(?:Nullable|LowCardinality)\(/g, '');
    return kindsOfTypes.find(([pattern]) => pattern.test(inner))?.[1];
  }
  const values = results.map((row) => row[column] ?? null).filter((value) => value !== null);
  if (values.every((value) => numberOf(value) !== null)) return 'number';
  if (values.every(isTime)) return 'time';
  return values.every((value) => typeof value === 'string' || typeof value === 'boolean') ? 'text' : undefined;
}

function isNumeric(rows: ChartedRows, column: number): boolean {
  return kindOf(rows, column) === 'number';
}

/** Numbers beyond those of JavaScript, and decimals, are texts in answers. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : null;
}

function labelOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'null';
}

function notDrawable({ columns, types, results }: ChartedRows): AppError {
  const given = columns
    .slice(0, 5)
    .map((name, index) => (types?.[index] === undefined ? name : `${name} ${types[index][1]}`))
    .join(', ');
  const more = columns.length > 5 ? ` and ${columns.length - 5} more` : '';
  return new AppError('invalid_input', {
    attr: 'format',
    detail:
      'A chart needs two columns, of which the first is a text, a time or a number and the second a number; or one row of one number. ' +
      `The result has ${results.length} ${results.length === 1 ? 'row' : 'rows'} of ${columns.length}: ${given}${more}.`,
  });
}
