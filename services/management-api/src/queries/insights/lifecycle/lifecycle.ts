import { buildLifecycle } from '@millrace/query-language/insights/build-lifecycle.ts';
import type { InsightKind } from '../insight-kind.ts';
import { lifecycleSchema, type LifecycleDefinition } from './lifecycle-schema.ts';
import { readLifecycle } from './read-lifecycle.ts';
import { shapeLifecycle } from './shape-lifecycle.ts';

/** New, returning, resurrecting and dormant actors of one series (contract/insights 8). */
export const lifecycle: InsightKind = {
  kind: 'LifecycleQuery',
  schema: lifecycleSchema,
  breakdownAt: null,
  hasTable: false,
  prepare(definition: LifecycleDefinition, context) {
    const { plan, span } = readLifecycle(definition, context);
    const { timeZone } = context;
    return {
      statement: () => buildLifecycle(plan),
      spans: { current: span },
      shape: (rows) => ({ results: shapeLifecycle(rows, { event: plan.event, span, timeZone }), hasMore: false }),
    };
  },
  earliestOf: ({ series }: LifecycleDefinition) => series.map(({ event }) => event ?? null),
};
