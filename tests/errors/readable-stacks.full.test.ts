import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { type Bundler, bundlers } from '@millrace/symbolication/testing/bundles.ts';
import { describePosthogCli } from '@millrace/testkit/posthog-cli.ts';
import { sendRequest } from '../support/api.ts';
import { describeBrowser, startBrowser } from '../support/browser.ts';
import { recordedRequests, replay } from '../support/recorded-requests.ts';
import { saveStoredEvents } from '../support/stored-events.ts';
import { startSystem, type Local, type System } from '../support/system.ts';
import { deployBundles, recordedFiles, uploader, type Deployed } from './deployed-bundles.ts';
import { expectedStacks } from './expected-stacks.ts';
import { throwInBrowser } from './shops/web-shop.ts';
import { throwInNode } from './shops/node-shop.ts';
import { readableFrames, storedCrashes, type StoredCrash } from './stored-exceptions.ts';

// The promise of error tracking, from the bundle to the table: an SDK that is on no list of ours sends what a minified bundle threw, and
// everybody reads functions, files and lines of the source.

const visibleWithinMs = 60_000;
let system: System;
let local: Local;
let folder: string;
let deployed: Deployed;

beforeAll(async () => {
  system = await startSystem();
  local = system.local();
  folder = mkdtempSync(join(tmpdir(), 'millrace-shops-'));
  await saveStoredEvents(local);
  deployed = await deployBundles(local, folder);
}, 120_000);
afterAll(async () => {
  await system?.destroy();
  rmSync(folder, { recursive: true });
}, 30_000);

/** The crashes of a run, once so many are there. */
const crashesOf = (run: string, count: number): Promise<StoredCrash[]> =>
  eventually(
    async () => {
      const crashes = await storedCrashes(local, run);
      expect(crashes.length).toBeGreaterThanOrEqual(count);
      return crashes;
    },
    { deadlineMs: visibleWithinMs },
  );

const namesOf = (crashes: readonly StoredCrash[]): string[] =>
  crashes.map(({ scenario, way, count }) => `${scenario} ${way} ${count}`).sort();

/** Each is there once, in an issue that is listed, and each stack is that of the source. */
async function expectReadable(crashes: readonly StoredCrash[], bundler: Bundler): Promise<void> {
  const expected = expectedStacks(bundler);
  for (const { scenario, exceptions } of crashes) {
    const thrown = exceptions.at(-1);
    const frames = thrown && (await readableFrames(local, thrown));
    expect([scenario, frames]).toEqual([scenario, expected.get(scenario)]);
  }
  await expectListed(crashes);
}

async function expectListed(crashes: readonly StoredCrash[]): Promise<void> {
  const path = `/api/projects/${local.projectId}/error_tracking/issues`;
  for (const id of new Set(crashes.map(({ issueId }) => String(issueId)))) {
    const { status, body } = await sendRequest<{ status: string }>(local, 'GET', `${path}/${id}`);
    expect([id, status, body.status]).toEqual([id, 200, 'active']);
  }
  const listed = await sendRequest<{ results: { id: string; name: string }[] }>(local, 'GET', `${path}?limit=100`);
  const ids = new Set(listed.body.results.map(({ id }) => id));
  expect(crashes.map(({ issueId }) => issueId).filter((id) => !ids.has(String(id)))).toEqual([]);
}

describePosthogCli('posthog-cli itself', () => {
  test('leaves the bundles that were recorded', () => {
    const recorded = recordedFiles();
    expect(deployed).toEqual(Object.fromEntries(bundlers.map((bundler) => [bundler, recorded[`${bundler}.js`]])));
  });
});

describeBrowser(`posthog-js in Chromium, maps uploaded by ${uploader}`, () => {
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  beforeAll(async () => {
    browser = await startBrowser();
  }, 30_000);
  afterAll(() => browser?.close());

  test.each(bundlers)(
    '%s: errors, rejected promises and causes name functions, files and lines of the source',
    async (bundler) => {
      await throwInBrowser(browser, local, bundler, deployed[bundler]);
      const scenarios = [...expectedStacks(bundler).keys()];
      const crashes = await crashesOf(`web ${bundler}`, 2 * scenarios.length);
      expect(namesOf(crashes)).toEqual(scenarios.flatMap((name) => [`${name} cause 1`, `${name} uncaught 1`]).sort());
      expect(crashes.map(({ way, exceptions: [outer] }) => [way, outer?.mechanism.handled])).toEqual(
        crashes.map(({ way }) => [way, way === 'cause']),
      );
      await expectReadable(crashes, bundler);
    },
    120_000,
  );
});

describe(`posthog-node, maps uploaded by ${uploader}`, () => {
  test.each(bundlers)(
    '%s: errors, rejected promises and causes name functions, files and lines of the source',
    async (bundler) => {
      const uncaught = ['visitAll', 'missingProfile'];
      await throwInNode(local, bundler, deployed[bundler], folder, uncaught);
      const scenarios = [...expectedStacks(bundler).keys()];
      const crashes = await crashesOf(`node ${bundler}`, scenarios.length + uncaught.length);
      expect(namesOf(crashes)).toEqual(
        [...scenarios.map((name) => `${name} cause 1`), ...uncaught.map((name) => `${name} uncaught 1`)].sort(),
      );
      const unhandled = crashes
        .filter(({ way }) => way === 'uncaught')
        .map(({ exceptions: [each] }) => each?.mechanism);
      expect(unhandled.map((mechanism) => mechanism?.type).sort()).toEqual([
        'onuncaughtexception',
        'onunhandledrejection',
      ]);
      await expectReadable(crashes, bundler);
    },
    120_000,
  );
});

test('posthog-python, as it was recorded: its own frames and lines stay, and are in issues', async () => {
  const recordings = recordedRequests(join(import.meta.dirname, 'recorded'));
  for (const recording of recordings)
    expect((await replay(recording, local.captureUrl, local.projectToken)).status).toBe(200);
  const crashes = await crashesOf('python', recordings.length);
  const source = readFileSync(join(import.meta.dirname, 'record/shop/shop.py'), 'utf8').split('\n');
  const functions = new Map<string, string[][]>();
  for (const { scenario, exceptions } of crashes) {
    const stacks = await Promise.all(exceptions.map((exception) => readableFrames(local, exception)));
    const texts = stacks.flat().map(([place]) => [place, source[Number(place.split(':')[1]) - 1]]);
    expect(stacks.flat()).toEqual(texts);
    functions.set(
      scenario,
      stacks.map((frames) => frames.map(([place]) => place.split(' ')[0] ?? '')),
    );
  }
  const sum = ['price_of', '<genexpr>', 'total', 'sum_without_price'];
  expect(Object.fromEntries(functions)).toEqual({
    add_bad_item: [['add', 'add_bad_item']],
    sum_without_price: [sum],
    order: [['order'], [...sum, 'order']],
    uncaught: [['order'], [...sum, 'order']],
  });
  expect(crashes.map(({ count }) => count)).toEqual([1, 1, 1, 1]);
  await expectListed(crashes);
}, 120_000);
