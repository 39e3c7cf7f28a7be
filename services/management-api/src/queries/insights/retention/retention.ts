import { buildRetention } from '@millrace/query-language/insights/retention/build-retention.ts';
import type { InsightKind } from '../insight-kind.ts';
import { readRetention } from './read-retention.ts';
import { retentionSchema, type RetentionDefinition } from './retention-schema.ts';
import { shapeRetention } from './shape-retention.ts';

/** Actors by the interval in which they start, and when they come back (contract/insights 7). */
export const retention: InsightKind = {
  kind: 'RetentionQuery',
  schema: retentionSchema,
  breakdownAt: { values: 0, folded: 1 },
  hasTable: false,
  prepare(definition: RetentionDefinition, context) {
    const { plan, span } = readRetention(definition, context);
    const { retentionFilter: filter } = definition;
    const looks = { filter, span, values: plan.values, timeZone: context.timeZone };
    return {
      statement: () => buildRetention(plan),
      spans: { current: span },
      shape: (rows) => shapeRetention(rows, looks),
    };
  },
  // For kinds without series it is the project's earliest event (contract/insights 4).
  earliestOf: () => [null],
};
