import { buildWebTable, type WebColumn, type WebFigures } from '@millrace/query-language/insights/build-web.ts';
import { isOfParts } from '@millrace/query-language/insights/web-breakdowns.ts';
import { onQuery } from '../../definition/variables.ts';
import type { InsightResult, InsightKind, Row } from '../insight-kind.ts';
import { readWeb } from './read-web.ts';
import { type orderColumns, webTableSchema, type WebTableDefinition } from './web-schema.ts';

const limitDefault = 100;

/** A table of web statistics (contract/insights 11.3). */
export const webTable: InsightKind = {
  kind: 'WebStatsTableQuery',
  schema: webTableSchema,
  breakdownAt: null,
  hasTable: true,
  earliestOf: () => [null],
  prepare(definition: WebTableDefinition, context) {
    const { plan, spans } = readWeb(definition, context);
    const { breakdownBy: breakdown, limit = limitDefault, offset = 0 } = definition;
    return {
      statement: () => buildWebTable({ ...plan, breakdown, order: orderOf(definition), limit, offset }),
      spans,
      shape: (rows) => shape(rows, definition, { limit, offset, isCompared: spans.previous !== undefined }),
    };
  },
};

const columnsOfOrder: Readonly<Record<(typeof orderColumns)[number], WebColumn>> = {
  Visitors: 'visitors',
  Views: 'views',
  BounceRate: 'bounce_rate',
  TotalConversions: 'conversions',
  UniqueConversions: 'converted',
  ConversionRate: 'conversion_rate',
};
const ofGoal: ReadonlySet<WebColumn> = new Set(['conversions', 'converted', 'conversion_rate']);

function orderOf({ orderBy, conversionGoal }: WebTableDefinition) {
  if (orderBy === undefined) return undefined;
  const [column, direction] = orderBy;
  const by = columnsOfOrder[column];
  if (ofGoal.has(by) && conversionGoal === undefined) throw onQuery(`query.orderBy: ${column} needs a conversionGoal.`);
  return { by, direction };
}

/** Figures of a row by name; rates are shares from 0 to 1. */
function figuresOf([visitors, views, bounceRate, conversions, converted]: WebFigures) {
  return {
    visitors,
    views,
    bounce_rate: bounceRate,
    total_conversions: conversions,
    unique_conversions: converted,
    conversion_rate: visitors === 0 ? null : converted / visitors,
  };
}

type Figures = ReturnType<typeof figuresOf>;

function columnsOf({ conversionGoal, includeBounceRate }: WebTableDefinition): (keyof Figures)[] {
  if (conversionGoal !== undefined) return ['visitors', 'total_conversions', 'unique_conversions', 'conversion_rate'];
  return ['visitors', 'views', ...(includeBounceRate === true ? (['bounce_rate'] as const) : [])];
}

const width = 5;

function shape(
  rows: readonly Row[],
  definition: WebTableDefinition,
  { limit, offset, isCompared }: { limit: number; offset: number; isCompared: boolean },
): InsightResult {
  const columns = columnsOf(definition);
  const results = rows.slice(0, limit).map((row) => {
    const value = row[0] as string | null;
    const current = figuresOf(row.slice(1, 1 + width) as WebFigures);
    const before = isCompared ? figuresOf(row.slice(1 + width, 1 + 2 * width) as WebFigures) : undefined;
    const all = row.at(-1) as number;
    return [
      value !== null && isOfParts(definition.breakdownBy) ? (JSON.parse(value) as unknown) : value,
      ...columns.map((name) => [current[name], before?.[name] ?? null]),
      all === 0 ? 0 : current.visitors / all,
      '',
    ];
  });
  const names = ['breakdown_value', ...columns, 'ui_fill_fraction', 'cross_sell'].map(
    (name) => `context.columns.${name}`,
  );
  const value = isOfParts(definition.breakdownBy) ? 'Array(Nullable(String))' : 'Nullable(String)';
  const types = [value, ...columns.map(() => 'Tuple(Nullable(Float64), Nullable(Float64))'), 'Float64', 'String'];
  return {
    results,
    hasMore: rows.length > limit,
    table: { columns: names, types: names.map((name, at) => [name, types[at] ?? '']), limit, offset },
  };
}
