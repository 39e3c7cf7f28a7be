import { bytes, type BytesReply } from '@millrace/http/replies/reply.ts';
import { chartHeaders, chartType } from '../../../charts/drawing/chart-headers.ts';
import { drawChart } from '../../../charts/drawing/draw-chart.ts';
import { chartOfInsight, type ChartedDefinition } from '../../../charts/from-results/chart-of-insight.ts';
import { chartOfRows } from '../../../charts/from-results/chart-of-rows.ts';
import type { EngineResult } from '../../../queries/result/result-bytes.ts';
import { insightKindOf } from '../../../queries/insights/insight-kinds.ts';

/** Formats of a chart; `svg` follows the reader's light or dark screen. */
export const chartFormats = ['svg', 'svg-light', 'svg-dark'] as const;
export type ChartFormat = (typeof chartFormats)[number];

const themes = { svg: 'auto', 'svg-light': 'light', 'svg-dark': 'dark' } as const;

/**
 * A chart of a run's results. `query` is the definition of the version, `title` its heading. Pure.
 * @throws {AppError} 400 on `format`: rows that no chart can show
 */
export function chartReply(
  { columns, rows }: EngineResult,
  { query, title, format }: { query: unknown; title: string; format: ChartFormat },
  headers: Readonly<Record<string, string>>,
): BytesReply {
  const text = Buffer.from(rows).toString();
  const results = JSON.parse(columns === undefined ? text : `[${text}]`) as unknown[][];
  const definition = query as ChartedDefinition;
  const chart =
    insightKindOf(query as Record<string, unknown>) === undefined
      ? chartOfRows(
          {
            columns: (columns ?? []).map(({ name }) => name),
            types: (columns ?? []).map(({ name, type }) => [name, type ?? ''] as const),
            results,
          },
          title,
        )
      : chartOfInsight(definition, results, title);
  const picture = drawChart(chart, { theme: themes[format] });
  return bytes(chartType, [Buffer.from(picture)], { ...chartHeaders, ...headers });
}
