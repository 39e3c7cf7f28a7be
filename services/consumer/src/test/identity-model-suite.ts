import { afterEach, beforeEach, describe, test } from '@jest/globals';
import { createApp } from '../app.ts';
import { createHarness, type Harness } from './harness.ts';
import { expectAtOnce, expectStepByStep } from './identity-scenes.ts';

/** Compares real consumers with the model in a number of stories, each within `deadlineMs`. `say` gets the progress. */
export function describeIdentityModel(
  stories: number,
  deadlineMs: number,
  say: (line: string) => void = () => undefined,
): void {
  const seed = Date.now() % 2 ** 31;
  let harness: Harness;
  let apps: ReturnType<typeof createApp>[];

  beforeEach(async () => {
    harness = await createHarness();
    apps = ['first', 'second'].map((writer) => createApp({ ...harness.config, writer }));
    await Promise.all(apps.map((app) => app.start()));
  }, 60_000);

  afterEach(async () => {
    await Promise.all(apps.map((app) => app.stop()));
    await harness.close();
  }, 30_000);

  describe(`persons are as a simple model says (contract/capture 4.2–4.4): ${stories} stories, seed ${seed}`, () => {
    test(
      'told event by event: persons, distinct ids, properties, and what the row of every event says',
      async () => {
        await expectStepByStep(harness, stories, seed, async (step, send) => {
          await send();
          say(`${stories} sequences, event by event: event ${step + 1} of each`);
        });
      },
      deadlineMs,
    );

    test(
      'told all at once, over two consumers: each ends as some order of its events would',
      async () => {
        await expectAtOnce(harness, stories, seed + 1, say);
      },
      deadlineMs,
    );
  });
}
