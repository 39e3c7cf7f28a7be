import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { run, saveEndpoint, sendRequest } from '../support/api.ts';
import { describeBrowser, startBrowser } from '../support/browser.ts';
import { startSystem, type System } from '../support/system.ts';
import { type BrowserSession, openPage } from './browser-session.ts';

// The promise to whoever puts run tokens into a page: it asks for all that it shows at once, and all of it comes.
const pages = 16;
const panels = ['views_by_day', 'visitors_by_plan', 'top_pages', 'newest', 'views_of_page'];
const sqls = [
  'SELECT toDate(timestamp) AS day, count() AS views FROM events GROUP BY day ORDER BY day',
  'SELECT properties.plan AS plan, uniq(distinct_id) AS visitors FROM events GROUP BY plan ORDER BY plan',
  'SELECT properties.page AS page, count() AS views FROM events GROUP BY page ORDER BY page LIMIT 5',
  'SELECT distinct_id AS visitor, timestamp AS at FROM events ORDER BY at LIMIT 3',
  'SELECT count() AS views FROM events WHERE properties.page = {variables.page}',
];

interface Panel {
  url: string;
  token: string;
}
/** Whether the browser's own cache may answer. */
type CacheUse = 'default' | 'no-store';
interface Loaded {
  status: number;
  begins: string;
  results: Record<string, unknown>[];
}

describeBrowser('a dashboard of five panels with run tokens in Chromium', () => {
  let system: System;
  let browser: Browser;
  let session: BrowserSession;
  let made: Panel[];

  beforeAll(async () => {
    // Fewer at a time than the six connections of a browser: some of what the page asks for must wait for its turn.
    const environment = { QUERY_RUNNING_PER_KEY_MAX: '2', QUERY_RUNNING_PER_PROJECT_MAX: '4' };
    [system, browser] = await Promise.all([startSystem(undefined, { environment }), startBrowser()]);
    const { captureUrl, projectToken, apiUrl } = system.local();
    const batch = Array.from({ length: pages }, (_, n) => ({
      event: 'viewed',
      distinct_id: `visitor ${n}`,
      timestamp: `2026-01-02T03:04:${String(n).padStart(2, '0')}Z`,
      properties: { page: `/page/${n}`, plan: n % 2 === 0 ? 'free' : 'pro' },
    }));
    await fetch(`${captureUrl}/batch/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: projectToken, batch }),
    });
    made = await Promise.all(panels.map((name, index) => panel(name, sqls[index] ?? '')));
    await eventually(async () => expect((await run(system.local(), 'newest')).body.results).toHaveLength(3), {
      deadlineMs: 30_000,
    });
    session = await openPage(browser, apiUrl, () => ({
      type: 'text/html',
      text: '<!doctype html><html><head><link rel="icon" href="data:,"></head><body></body></html>',
    }));
  }, 160_000);

  afterAll(async () => {
    await session?.close();
    await browser?.close();
    await system?.destroy();
  }, 30_000);

  async function panel(name: string, sql: string): Promise<Panel> {
    const local = system.local();
    const variables = sql.includes('{variables.page}') ? { p: { code_name: 'page', type: 'String' } } : undefined;
    await saveEndpoint(local, name, sql, variables);
    const path = `/api/projects/${local.projectId}/endpoints/${name}`;
    const { body } = await sendRequest<{ value: string }>(local, 'POST', `${path}/tokens/`, { label: 'Dashboard' });
    return { url: `${local.apiUrl}${path}/run/?format=objects`, token: body.value };
  }

  const load = async (cache: CacheUse): Promise<Loaded[]> =>
    await session.page.evaluate(loadPanels, { panels: made.slice(0, 4), ofPage: made[4] as Panel, pages, cache });

  test('every panel and each of sixteen fetches of one token come at once, twice, and nothing is red in the console', async () => {
    const first = await load('default');
    expect(first.map(({ status }) => status)).toEqual(Array(4 + pages).fill(200));
    expect(first.slice(0, 3).map(({ results }) => results)).toEqual([
      [{ day: '2026-01-02', views: pages }],
      [
        { plan: 'free', visitors: pages / 2 },
        { plan: 'pro', visitors: pages / 2 },
      ],
      expect.arrayContaining([{ page: '/page/0', views: 1 }]),
    ]);
    expect(first.slice(4).map(({ results }) => results)).toEqual(Array(pages).fill([{ views: 1 }]));
    const second = await load('no-store');
    expect(second.map(({ results }) => results)).toEqual(first.map(({ results }) => results));
    expect(new Set(second.map(({ begins }) => begins))).toEqual(new Set(['{"is_cached":true,']));
    expect(session.faults).toEqual([]);
  }, 60_000);
});

/** Runs in the page. */
async function loadPanels(asked: {
  panels: Panel[];
  ofPage: Panel;
  pages: number;
  cache: CacheUse;
}): Promise<Loaded[]> {
  const load = async (url: string, token: string): Promise<Loaded> => {
    const reply = await fetch(url, { headers: { authorization: `Bearer ${token}` }, cache: asked.cache });
    const text = await reply.text();
    return {
      status: reply.status,
      begins: text.slice(0, 18),
      results: (JSON.parse(text) as Pick<Loaded, 'results'>).results,
    };
  };
  const { url, token } = asked.ofPage;
  return await Promise.all([
    ...asked.panels.map((each) => load(each.url, each.token)),
    ...Array.from({ length: asked.pages }, (_, n) => load(`${url}&page=${encodeURIComponent(`/page/${n}`)}`, token)),
  ]);
}
