import { buildTrends } from '@millrace/query-language/insights/trends/build-trends.ts';
import type { InsightContext, InsightKind, InsightQuery } from '../insight-kind.ts';
import { readTrends } from './read-trends.ts';
import { shapeTrends } from './shape-trends.ts';
import { trendsSchema, type TrendsDefinition } from './trends-schema.ts';

/** TrendsQuery (contract/insights 5). */
export const trends: InsightKind = {
  kind: 'TrendsQuery',
  schema: trendsSchema,
  breakdownAt: { values: 4, folded: 1 },
  hasTable: false,
  prepare(definition: TrendsDefinition, context: InsightContext): InsightQuery {
    const { plan, form, spans } = readTrends(definition, context);
    return { statement: () => buildTrends(plan), spans, shape: (rows) => shapeTrends(rows, form) };
  },
  earliestOf: ({ series }: TrendsDefinition) => series.map(({ event = null }) => event),
};
