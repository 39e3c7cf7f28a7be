import { expect } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { Harness } from './harness.ts';
import { expectExact, expectPossible, readState, sendStep, stage, stored } from './identity-run.ts';

/** Rows of persons are stored beside those of events, not before them. */
const settledMs = 5_000;

/**
 * Sends stories event by event; everything must be exactly as the model says, the row of every event included.
 * @param aroundStep sends the events of a step by `send`, before they are waited for.
 */
export async function expectStepByStep(
  harness: Harness,
  stories: number,
  seed: number,
  aroundStep: (step: number, send: () => Promise<void>) => Promise<void> = (_, send) => send(),
): Promise<void> {
  const lengthMax = 8;
  const staged = stage(stories, lengthMax, seed);
  let sent = 0;
  for (let step = 0; step < lengthMax; step++) {
    await aroundStep(step, async () => void (sent += await sendStep(harness, staged, step)));
    await stored(harness, sent);
  }
  await eventually(async () => expectExact(harness, staged, await readState(harness)), { deadlineMs: settledMs });
}

/** Sends the beginnings of stories, then all the rest at once; each must end as some order of its events would. */
export async function expectAtOnce(
  harness: Harness,
  stories: number,
  seed: number,
  say: (line: string) => void = () => undefined,
): Promise<void> {
  const lengthMax = 6;
  const staged = stage(stories, lengthMax, seed);
  let sent = await sendStep(harness, staged, 0);
  sent += await sendStep(harness, staged, 1);
  await stored(harness, sent);
  say(`${stories} sequences, all at once: their beginnings are told`);
  const later = staged.map(async (one) => {
    let count = 0;
    for (let step = 2; step < lengthMax; step++) count += await sendStep(harness, [one], step);
    return count;
  });
  for (const count of await Promise.all(later)) sent += count;
  say(`${stories} sequences, all at once: all ${sent} events are told`);
  await stored(harness, sent);
  await eventually(async () => expectPossible(harness, staged, await readState(harness)), { deadlineMs: settledMs });
  expect(await harness.deadLetters()).toEqual([]);
}
