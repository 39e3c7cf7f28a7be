import { funnels } from './funnels/funnels.ts';
import type { InsightKind } from './insight-kind.ts';
import { lifecycle } from './lifecycle/lifecycle.ts';
import { paths } from './paths/paths.ts';
import { retention } from './retention/retention.ts';
import { stickiness } from './stickiness/stickiness.ts';
import { trends } from './trends/trends.ts';
import { webOverview } from './web/web-overview.ts';
import { webTable } from './web/web-table.ts';

/** Kinds of insights, by the `kind` of a definition. A new kind is a line here. */
export const insightKinds: ReadonlyMap<string, InsightKind> = new Map(
  [trends, funnels, retention, lifecycle, stickiness, paths, webOverview, webTable].map((kind) => [kind.kind, kind]),
);

/** Kind of a definition; undefined: it is none of an insight. */
export function insightKindOf({ kind }: Readonly<Record<string, unknown>>): InsightKind | undefined {
  return typeof kind === 'string' ? insightKinds.get(kind) : undefined;
}
