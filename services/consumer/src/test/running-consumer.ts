import { afterAll, beforeAll } from '@jest/globals';
import { createApp } from '../app.ts';
import { createHarness, type Harness } from './harness.ts';

/** A consumer of its own, for a whole suite. What is made before the tests is there once they run. */
interface RunningConsumer {
  readonly harness: Harness;
  readonly app: ReturnType<typeof createApp>;
}

/** Starts engines' databases, a log and the consumer before the tests of a file, and ends all of it after them. */
export function runningConsumer(): RunningConsumer {
  let harness: Harness;
  let app: ReturnType<typeof createApp>;
  beforeAll(async () => {
    harness = await createHarness();
    app = createApp(harness.config);
    await app.start();
  }, 60_000);
  afterAll(async () => {
    await app.stop();
    await harness.close();
  }, 30_000);
  return {
    get harness() {
      return harness;
    },
    get app() {
      return app;
    },
  };
}
