import { buildFunnel } from '@millrace/query-language/insights/funnels/build-funnel.ts';
import type { InsightKind } from '../insight-kind.ts';
import { funnelSchema, type FunnelDefinition } from './funnel-schema.ts';
import { readFunnel } from './read-funnel.ts';
import { shapeFunnel } from './shape-funnel.ts';

/** FunnelsQuery (contract/insights 6). */
export const funnels: InsightKind = {
  kind: 'FunnelsQuery',
  schema: funnelSchema,
  prepare(definition: FunnelDefinition, context) {
    const read = readFunnel(definition, context);
    return {
      statement: () => buildFunnel(read.plan),
      spans: { current: read.span },
      shape: (rows) => shapeFunnel(definition, read, context, rows),
    };
  },
  breakdownAt: null,
  hasTable: false,
  earliestOf: ({ series }: FunnelDefinition) => series.map(({ event = null }) => event),
};
