import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHarness, type Harness } from './test/harness.ts';
import { expectStepByStep } from './test/identity-scenes.ts';
import type { Failpoint } from './stream/batch.ts';

const seed = Date.now() % 2 ** 31;
const places: Failpoint[] = ['persons-applied', 'rows-inserted', 'pending-committed', 'persons-applied'];

let harness: Harness;

beforeAll(async () => {
  // As many streams as every step of a story has batches to die in.
  harness = await createHarness({ EVENT_LOG_PARTITIONS: '8' });
}, 60_000);

afterAll(() => harness.close(), 30_000);

test(`kill -9 at every step of many stories: persons, and what the row of every event says, are as if nothing had happened (performance C2 1), seed ${seed}`, async () => {
  let living: ReturnType<Harness['startChild']> | null = null;
  await expectStepByStep(harness, 400, seed, async (step, send) => {
    // Else it might do all of the step's batches, and none would be left to die in.
    living?.process.kill('SIGTERM');
    await living?.exited;
    await send();
    // Some of its batches get through before it dies.
    const dying = harness.startChild({ place: places[step % places.length] as Failpoint, times: 1 + (step % 3) });
    expect(await dying.exited).toBe('SIGKILL');
    living = harness.startChild();
  });
  expect(await harness.deadLetters()).toEqual([]);
}, 600_000);
