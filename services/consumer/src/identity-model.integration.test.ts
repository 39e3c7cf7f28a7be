import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually.ts';
import { createApp } from './app.ts';
import { createHarness, type Harness } from './test-support/harness.ts';
import { expectExact, expectPossible, look, sendStep, stage, stored } from './test-support/identity-run.ts';

const seed = Date.now() % 2 ** 31;
const storyCount = 100;

/** Many at a time, so that they meet. */
const smallBatches = { rowsMax: 20, bytesMax: 1_000_000, lingerMs: 1, intervalMs: 1, atOnce: 8 };

let harness: Harness;
let apps: ReturnType<typeof createApp>[];

beforeEach(async () => {
  harness = await createHarness();
  apps = ['first', 'second'].map((writer) => createApp({ ...harness.config, writer, batch: smallBatches }));
  await Promise.all(apps.map((app) => app.start()));
}, 60_000);

afterEach(async () => {
  await Promise.all(apps.map((app) => app.stop()));
  await harness.close();
}, 30_000);

describe(`persons are as a simple model says (contract/capture 4.2–4.4), seed ${seed}`, () => {
  test('stories told event by event: persons, distinct ids, properties, and what the row of every event says', async () => {
    const staged = stage(storyCount, 8, seed);
    let sent = 0;
    for (let step = 0; step < 8; step++) {
      sent += await sendStep(harness, staged, step);
      await stored(harness, sent);
    }
    // Rows of persons are stored beside those of events, not before them.
    await eventually(async () => expectExact(harness, staged, await look(harness)), { deadlineMs: 3_000 });
  }, 60_000);

  test('stories told all at once, over two consumers: each ends as some order of its events would', async () => {
    const staged = stage(storyCount, 6, seed + 1);
    let sent = await sendStep(harness, staged, 0);
    sent += await sendStep(harness, staged, 1);
    await stored(harness, sent);
    // Now there are persons to quarrel about.
    await Promise.all(staged.map(async (one) => {
      for (let step = 2; step < 6; step++) sent += await sendStep(harness, [one], step);
    }));
    await stored(harness, sent);
    await eventually(async () => expectPossible(harness, staged, await look(harness)), { deadlineMs: 3_000 });
    expect(await harness.deadLetters()).toEqual([]);
  }, 60_000);
});
