import { join } from 'node:path';
import { functionsOf, readPage } from '@millrace/testkit/documented-examples.ts';
import { sendRequest } from '../support/api.ts';
import { root } from '../support/launcher.ts';
import type { System } from '../support/system.ts';

/** Last day of the shop that the pictures of docs/insights.md show: a Saturday, the end of a week. */
const lastDay = '2026-05-30';
const dayMs = 86_400_000;

/** Folder of the pictures. */
export const chartFolder = join(root, 'docs/charts');

/** Functions that the examples of docs/insights.md use. */
export const pageFunctions = functionsOf(readPage('insights.md'));

/** An insight of the page that has a picture. */
interface PicturedInsight {
  name: string;
  query: { dateRange: { date_from: string } };
}

/** Insights that the page saves and shows a picture of, in the order of their pictures. Pure. */
function picturedInsights(page: string): PicturedInsight[] {
  const saved = new Map(
    [...page.matchAll(/^save '(\{.*?\})'$/gms)].map(([, json = '']) => {
      const insight = JSON.parse(json) as PicturedInsight;
      return [insight.name, insight] as const;
    }),
  );
  return [...page.matchAll(/^!\[.*\]\(charts\/(.*)\.svg\)$/gm)].map(([, name = '']) => {
    const insight = saved.get(name);
    if (insight === undefined)
      throw new Error(`docs/insights.md shows charts/${name}.svg, and saves no insight ${name}`);
    return insight;
  });
}

/**
 * Draws the pictures of the page, each by a run of its insight in a new project with a shop of fixed days. Their ranges end on
 * its last day, as those of the page end yesterday.
 */
export async function drawInsightCharts(system: System): Promise<ReadonlyMap<string, string>> {
  const local = system.local();
  const organization = ['--organization', local.organizationId];
  const { projectId } = system.millrace<{ projectId: number }>(
    'projects',
    'create',
    ...organization,
    '--name',
    'Pictures',
  );
  system.millrace('seed', 'shop', '--project', String(projectId), '--last-day', lastDay);
  const path = `/api/projects/${projectId}/endpoints/`;
  const charts = new Map<string, string>();
  for (const insight of picturedInsights(readPage('insights.md'))) {
    const { status, body } = await sendRequest(local, 'POST', path, insight);
    if (status !== 201) throw new Error(`${insight.name} was not saved: ${JSON.stringify(body)}`);
    const days = Number(/^-(\d+)d$/.exec(insight.query.dateRange.date_from)?.[1]);
    const from = new Date(Date.parse(lastDay) - (days - 1) * dayMs).toISOString().slice(0, 10);
    const reply = await fetch(
      `${local.apiUrl}${path}${insight.name}/run?format=svg&date_from=${from}&date_to=${lastDay}`,
      { headers: { authorization: `Bearer ${local.personalApiKey}` } },
    );
    if (reply.status !== 200) throw new Error(`${insight.name} was not drawn: ${await reply.text()}`);
    charts.set(insight.name, `${await reply.text()}\n`);
  }
  return charts;
}
