import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ShopEvent, shopEventCount, shopEvents } from '@millrace/cli/shop-events';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import {
  examplesOf,
  functionsOf,
  printed,
  printedInOneShell,
  readPage,
} from '@millrace/testkit/documented-examples.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { sendRequest, type RunResult } from '../support/api.ts';
import { describeBrowser, startBrowser } from '../support/browser.ts';
import { saveStoredEvents, storedEvents } from '../support/stored-events.ts';
import { root } from '../support/launcher.ts';
import { startSystem, type Local, type System } from '../support/system.ts';
import { openPage } from '../sdk-compat/browser-session.ts';
import { documented, snippet } from '../sdk-compat/pasted-pages.ts';
import { openDashboard, untilShown } from './dashboard-page.ts';
import { chartFolder, drawInsightCharts, pageFunctions } from './insight-charts.ts';
import { createReader, type Reader } from './reader.ts';
import { expectedPanels } from './shop-numbers.ts';

// A newcomer reads page after page, on one system: what is shown to be pasted is run by a shell, as it stands.
const seenWithinMs = 20_000;
/** The picture of docs/llm-analytics.md. */
const scorePicture = 'quality-by-model';
let system: System;
let local: Local;
let reader: Reader;
/** Variables that the docs use. */
let variables: Record<string, string>;

beforeAll(async () => {
  system = await startSystem();
  local = system.local();
  reader = createReader(system);
  variables = system.millrace<Record<string, string>>('status', '--env');
}, 100_000);
afterAll(async () => {
  reader?.close();
  await system?.destroy();
}, 30_000);

describe('docs/dashboard.md', () => {
  let shop: readonly ShopEvent[];
  beforeAll(async () => {
    reader.saveFiles('dashboard.md');
    const output = await reader.pasteAll('dashboard.md');
    expect(output).toContain('5 endpoints, and dashboard-config.js with their tokens');
    const again = system.millrace<{ sent: number; events: number; lastDay: string }>('seed', 'shop');
    expect(again).toMatchObject({ sent: 0, events: shopEventCount });
    shop = shopEvents(again.lastDay);
  }, 60_000);

  test('its tokens run the endpoints of the page, and each nothing else', async () => {
    const config = readFileSync(join(reader.folder, 'dashboard-config.js'), 'utf8');
    const { api, tokens } = JSON.parse(config.slice(config.indexOf('{'), -2)) as Config;
    expect(Object.keys(tokens)).toHaveLength(5);
    const statuses = Object.entries(tokens).map(async ([name, token]) => {
      const headers = { authorization: `Bearer ${token}` };
      const paths = [`${name}/run?from=2026-01-01`, `${name}/run?customer=user_8`, 'event_counts/run', ''];
      return [
        name,
        ...(await Promise.all(paths.map(async (path) => (await fetch(`${api}/${path}`, { headers })).status))),
      ];
    });
    expect(await Promise.all(statuses)).toEqual(
      Object.keys(tokens).map((name) => [name, name === 'customer-journey' ? 400 : 200, 400, 403, 401]),
    );
  });

  describeBrowser('the page in Chromium', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser();
    }, 30_000);
    afterAll(() => browser?.close());

    test('shows the numbers of the shop in all panels, of other days too, without a red line', async () => {
      const page = await openDashboard(browser, reader.folder);
      for (const days of [30, 7, 60]) {
        const from = await page.choose(days);
        const panels = expectedPanels(shop, from, 'user_7');
        expect(panels.customerJourney.length).toBeGreaterThan(20);
        await untilShown(page, panels);
      }
      expect(page.faults).toEqual([]);
      await page.close();
    }, 90_000);
  });
});

// The day on which a person was created depends on which of its distinct ids the consumer read first.
const comparable = (name: string, svg: string): string =>
  name === 'visitors-lifecycle' ? svg.replaceAll(/\d[\d.]*/g, '0') : svg;

interface Config {
  api: string;
  tokens: Record<string, string>;
}

describe.each(['capture.md', 'endpoints.md'])('docs/%s', (name) => {
  test.each(examplesOf(readPage(name)))('example %s', async (_name, command, output) => {
    expect(await printed(command, variables)).toBe(output.trimEnd());
  });
});

describe('docs/insights.md', () => {
  test.each(examplesOf(readPage('insights.md')))('example %s', async (_name, command, output) => {
    expect(await printed(`cd '${reader.folder}'\n${pageFunctions}${command}`, variables)).toBe(output.trimEnd());
  });

  test('its pictures are those that its insights draw', async () => {
    const drawn = await drawInsightCharts(system);
    expect(drawn.size).toBeGreaterThan(8);
    const names = [...drawn.keys(), scorePicture];
    expect(readdirSync(chartFolder).toSorted()).toEqual(names.map((name) => `${name}.svg`).toSorted());
    for (const [name, svg] of drawn) {
      const stored = readFileSync(join(chartFolder, `${name}.svg`), 'utf8');
      expect([name, comparable(name, svg)]).toEqual([name, comparable(name, stored)]);
    }
  }, 60_000);
});

/** The examples of a page, which use each other's files and variables. */
function testInOneShell(page: string): void {
  const examples = examplesOf(page);
  let outputs: string[];
  beforeAll(async () => {
    outputs = await printedInOneShell(`cd '${reader.folder}'\n${functionsOf(page)}`, examples, variables);
  }, 150_000);

  test.each(examples.map(([name, , output], at) => [name, at, output] as const))('example %s', (_name, at, output) => {
    expect(outputs[at]).toBe(output.trim());
  });
}

describe('docs/error-tracking.md', () => {
  testInOneShell(readPage('error-tracking.md'));

  test('its key for CI uploads maps, and does nothing else', async () => {
    const [, command = ''] = / millrace -- (keys create .*)/.exec(readPage('error-tracking.md')) ?? [];
    const [{ email }] = system.millrace<[{ email: string }]>('users', 'list');
    const { key } = system.millrace<{ key: string }>(...command.replace('ann@example.com', email).split(' '));
    const statusOf = async (path: string, body?: object): Promise<number> =>
      (await sendRequest(local, body ? 'POST' : 'GET', `/api/projects/${local.projectId}/${path}/`, body, key)).status;
    expect(await statusOf('error_tracking/symbol_sets/bulk_check_upload', { symbol_sets: [] })).toBe(200);
    expect([await statusOf('endpoints'), await statusOf('query', {})]).toEqual([403, 403]);
  });

  test('its program of Node sends the exception, with functions and lines of its source', async () => {
    reader.saveFiles('error-tracking.md');
    await promisify(execFile)(process.execPath, ['pay.mjs'], { cwd: reader.folder, env: variables });
    const query =
      "SELECT distinct_id, properties.order, properties.$exception_types.1, has(properties.$exception_functions, 'pay') FROM events WHERE properties.$exception_values.1 = 'the limit is exceeded'";
    const path = `/api/projects/${local.projectId}/query/`;
    await eventually(
      async () => {
        const { body } = await sendRequest<RunResult>(local, 'POST', path, { query: { kind: 'HogQLQuery', query } });
        expect(body.results).toEqual([['ann', '1042', 'RangeError', 1]]);
      },
      { deadlineMs: seenWithinMs },
    );
  }, 60_000);
});

// The queries of docs/sql.md about reviews find what this page makes.
describe('docs/llm-analytics.md', () => {
  const page = readPage('llm-analytics.md');
  testInOneShell(page);

  test('its picture is the one that it draws', () => {
    const [drawn, stored] = [reader.folder, chartFolder].map((folder) =>
      readFileSync(join(folder, `${scorePicture}.svg`), 'utf8'),
    );
    expect(drawn).toBe(stored);
  });

  test('the wrappers that it shows are those whose traces were recorded', () => {
    const recorder = join(root, 'tests/llm/record');
    const sources = [
      'record-python.py',
      'record-node.mjs',
      ...readdirSync(join(recorder, 'node')).map((file) => `node/${file}`),
    ]
      .map((file) => readFileSync(join(recorder, file), 'utf8'))
      .join('\n');
    const imports = [...page.matchAll(/\b(?:from [\w.]+ import \w+|import \{ \w+ \} from '[^']+')/g)].map(
      ([line]) => line,
    );
    expect(imports.length).toBeGreaterThan(10);
    expect(imports.filter((line) => !sources.includes(line))).toEqual([]);
  });
});

describe('docs/management.md', () => {
  const text = readPage('management.md');
  test.each(examplesOf(text.slice(text.indexOf('\n## Surveys\n'))))(
    'survey example %s',
    async (_name, command, output) => {
      expect(await printed(command, variables)).toBe(output.trimEnd());
    },
  );
});

describe.each(['ingestion.md', 'sql.md'])('docs/%s: each statement has rows of the shop', (name) => {
  const statements = [...readPage(name).matchAll(/```sql\n([^`]+)\n```/g)].map(([, statement = '']) => statement);
  test.each(statements)('%s', async (query) => {
    const { status, body } = await sendRequest<RunResult>(local, 'POST', `/api/projects/${local.projectId}/query/`, {
      query: { kind: 'HogQLQuery', query },
    });
    expect(status).toBe(200);
    expect(body.results).not.toEqual([]);
  });
});

describe('docs/history.md', () => {
  const count = 3_000;

  test('the script brings all of the history, and a second time nothing', async () => {
    reader.saveFiles('history.md');
    for (let times = 1; times <= 2; times++) {
      const output = await reader.pasteAll('history.md', (commands) => commands.replace(' 200000 ', ` ${count} `));
      expect(output).toContain(`${count} sent, all of them`);
    }
    const [[, command] = []] = examplesOf(readPage('history.md'));
    const wanted = `${count}\n"results":[[${count}, ${count}, "2024-01-01T00:00:00.000000Z"]]`;
    await eventually(async () => expect(await printed(`cd '${reader.folder}'; ${command}`, variables)).toBe(wanted), {
      deadlineMs: seenWithinMs,
      intervalMs: 200,
    });
  }, 60_000);
});

// The last of all: what it sends is not of the shop.
describeBrowser('docs/capture.md: a page without a build', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
    await saveStoredEvents(local);
  }, 30_000);
  afterAll(() => browser?.close());

  test.each(['snippet', 'documented'] as const)(
    '%s: page view, identify, click and leaving arrive, each once, and nothing is red in the console',
    async (name) => {
      const { captureUrl, projectToken } = local;
      const text = `<!doctype html><html><head><link rel="icon" href="data:,">${{ snippet, documented }[name](projectToken, captureUrl)}</head>
        <body><h1>Shop</h1><button id="buy">Buy</button></body></html>`;
      const session = await openPage(browser, captureUrl, () => ({ type: 'text/html', text }));
      const haveArrived = (...events: string[]): Promise<void> =>
        eventually(
          async () => {
            const stored = await storedEvents(local, name);
            const counts = events.map((each) => [
              each,
              stored.filter(({ event }) => event === each).map(({ count }) => count),
            ]);
            expect(counts).toEqual(events.map((each) => [each, [1]]));
          },
          { deadlineMs: 30_000 },
        );
      await haveArrived('$pageview', '$identify');
      await session.page.click('#buy');
      await haveArrived('$autocapture');
      await session.page.goto('about:blank');
      await haveArrived('$pageview', '$identify', '$autocapture', '$pageleave');
      expect(session.faults).toEqual([]);
      expect([...session.requested].filter(([, status]) => status >= 400)).toEqual([]);
      expect(session.requested.get('/static/array.js')).toBe(200);
      await session.close();
    },
    120_000,
  );
});
