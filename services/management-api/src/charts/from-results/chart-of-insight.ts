import { AppError } from '@millrace/http/errors/errors.ts';
import type { Chart } from '../chart.ts';
import { chartOfLifecycle, chartOfStickiness, type LifecycleLooks, type StickinessLooks } from './chart-of-activity.ts';
import { chartOfFunnel, type FunnelLooks } from './chart-of-funnel.ts';
import { chartOfPaths } from './chart-of-paths.ts';
import { chartOfRetention } from './chart-of-retention.ts';
import { chartOfTrends, type TrendsLooks } from './chart-of-trends.ts';
import { chartOfWebOverview, chartOfWebStats, type WebStatsLooks } from './chart-of-web.ts';

/** Definition of an insight; its kind and its fields of looks are read. */
export type ChartedDefinition = { kind: string } & TrendsLooks &
  FunnelLooks &
  LifecycleLooks &
  StickinessLooks &
  WebStatsLooks;

/**
 * Chart of an insight's results as a reply has them (contract/insights 5 to 11), parsed. `title` is text of a user. Pure.
 * @throws {AppError} 400 on `format` for a kind that has no chart
 */
export function chartOfInsight(definition: ChartedDefinition, results: unknown, title: string): Chart {
  // The reader of each kind's rows decides their shape: contract/insights gives it, and nothing of a request is in it.
  const own = results as never;
  switch (definition.kind) {
    case 'TrendsQuery':
      return chartOfTrends(definition, own, title);
    case 'FunnelsQuery':
      return chartOfFunnel(definition, results, title);
    case 'RetentionQuery':
      return chartOfRetention(own, title);
    case 'LifecycleQuery':
      return chartOfLifecycle(definition, own, title);
    case 'StickinessQuery':
      return chartOfStickiness(definition, own, title);
    case 'PathsQuery':
      return chartOfPaths(own, title);
    case 'WebOverviewQuery':
      return chartOfWebOverview(own, title);
    case 'WebStatsTableQuery':
      return chartOfWebStats(definition, own, title);
    default:
      throw new AppError('invalid_input', { attr: 'format', detail: `Results of ${definition.kind} cannot be drawn.` });
  }
}
