import { buildStickiness } from '@millrace/query-language/insights/build-stickiness.ts';
import type { InsightKind } from '../insight-kind.ts';
import { readStickiness } from './read-stickiness.ts';
import { shapeStickiness } from './shape-stickiness.ts';
import { stickinessSchema, type StickinessDefinition } from './stickiness-schema.ts';

/** Actors of series by the number of intervals in which they were active (contract/insights 9). */
export const stickiness: InsightKind = {
  kind: 'StickinessQuery',
  schema: stickinessSchema,
  breakdownAt: null,
  hasTable: false,
  prepare(definition: StickinessDefinition, context) {
    const { plan, spans } = readStickiness(definition, context);
    const { series, stickinessFilter: { computedAs } = {} } = definition;
    const looks = { series, spans, timeZone: context.timeZone, cumulative: computedAs === 'cumulative' };
    return {
      statement: () => buildStickiness(plan),
      spans,
      shape: (rows) => ({ results: shapeStickiness(rows, looks), hasMore: false }),
    };
  },
  earliestOf: ({ series }: StickinessDefinition) => series.map(({ event }) => event ?? null),
};
