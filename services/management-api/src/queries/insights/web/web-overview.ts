import { buildWebOverview, type WebOverviewRow } from '@millrace/query-language/insights/build-web.ts';
import type { InsightResult, InsightKind, Row } from '../insight-kind.ts';
import { readWeb } from './read-web.ts';
import { webOverviewSchema, type WebDefinition } from './web-schema.ts';

/** Figures of a site side by side (contract/insights 11.2). */
export const webOverview: InsightKind = {
  kind: 'WebOverviewQuery',
  schema: webOverviewSchema,
  breakdownAt: null,
  hasTable: false,
  earliestOf: () => [null],
  prepare(definition: WebDefinition, context) {
    const { plan, spans } = readWeb(definition, context);
    return {
      statement: () => buildWebOverview(plan),
      spans,
      shape: (rows) => shape(rows, { hasGoal: plan.goal !== undefined, isCompared: spans.previous !== undefined }),
    };
  },
};

type Figures = Record<string, number | null>;

function figuresOf(rows: readonly Row[], wanted: number): Figures {
  const [, visitors = 0, views = 0, sessions = 0, seconds = null, bounces = null, conversions = 0, converted = 0] =
    (rows.find(([place]) => place === wanted) ?? []) as WebOverviewRow | [];
  return {
    visitors,
    views,
    sessions,
    'session duration': seconds,
    'bounce rate': bounces === null ? null : bounces * 100,
    'total conversions': conversions,
    'unique conversions': converted,
    'conversion rate': visitors === 0 ? null : (converted / visitors) * 100,
  };
}

const kinds: Readonly<Record<string, string>> = {
  'session duration': 'duration_s',
  'bounce rate': 'percentage',
  'conversion rate': 'percentage',
};

function shape(
  rows: readonly Row[],
  { hasGoal, isCompared }: { hasGoal: boolean; isCompared: boolean },
): InsightResult {
  const [current, before] = [figuresOf(rows, 0), figuresOf(rows, 1)];
  const keys = hasGoal
    ? ['visitors', 'total conversions', 'unique conversions', 'conversion rate']
    : ['visitors', 'views', 'sessions', 'session duration', 'bounce rate'];
  const results = keys.map((key) => {
    const value = current[key] ?? null;
    const previous = isCompared ? (before[key] ?? null) : null;
    return {
      key,
      kind: kinds[key] ?? 'unit',
      value,
      previous,
      changeFromPreviousPct: changeOf(value, previous),
      isIncreaseBad: key === 'bounce rate' ? true : null,
    };
  });
  return { results, hasMore: false };
}

/** Change in whole percents, halves to the even one; null when there was nothing before. Pure. */
function changeOf(value: number | null, previous: number | null): number | null {
  if (value === null || previous === null || previous === 0) return null;
  // Multiplied first, since 315 after 200 is a half exactly, and 1.575 is none.
  const change = ((value - previous) * 100) / previous;
  const floor = Math.floor(change);
  if (change - floor !== 0.5) return Math.round(change);
  return floor % 2 === 0 ? floor : floor + 1;
}
