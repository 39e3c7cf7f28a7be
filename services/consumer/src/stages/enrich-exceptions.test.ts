import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { EventBatch } from './event-batch.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { StreamStoppedError } from '../stream/retry.ts';
import { processedDraft } from '../test/drafts.ts';
import { enrichExceptions } from './enrich-exceptions.ts';
import { createWorkLimit, type Enrichment } from './enrichment.ts';

const exception = (): EventDraft => processedDraft({ event: '$exception' }, '{"$exception_list":[]}');
const propertiesOf = (draft: EventDraft): unknown => JSON.parse(draft.properties.text);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Completes these exceptions by `enrich`. */
function enriching(
  drafts: readonly EventDraft[],
  enrich: Enrichment['enrich'],
  { atOnce = 2, bytesMax = 1_000_000 } = {},
) {
  const ends: string[] = [];
  const stream = new AbortController();
  let outside = 0;
  const enrichment: Enrichment = {
    enrich,
    limit: createWorkLimit(atOnce, bytesMax),
    deadlineMs: 1_000,
    onEnd: (outcome) => void ends.push(outcome),
  };
  const withoutSlot = async <T>(wait: () => Promise<T>): Promise<T> => {
    outside++;
    return await wait();
  };
  const done = enrichExceptions(
    { batch: { withoutSlot: withoutSlot, signal: stream.signal }, context: { enrichment } } as unknown as EventBatch,
    drafts,
  );
  return { done, ends, stream, outside: () => outside };
}

test('what is found takes the place of properties of the same names', async () => {
  const draft = exception();
  const { done, ends, outside } = enriching([draft], () =>
    Promise.resolve({ $exception_list: [{ type: 'TypeError' }], resolved: true }),
  );
  await done;
  expect(propertiesOf(draft)).toEqual({ $exception_list: [{ type: 'TypeError' }], resolved: true });
  expect([ends, outside()]).toEqual([['enriched'], 1]);
});

describe('an exception is stored as it came', () => {
  test('when completing it fails; the others are completed', async () => {
    const [broken, fine] = [exception(), exception()];
    const { done, ends } = enriching([broken, fine], (draft) =>
      draft === broken ? Promise.reject(new Error('no map')) : Promise.resolve({ a: 1 }),
    );
    await done;
    expect([propertiesOf(broken), propertiesOf(fine), ends.sort()]).toEqual([
      { $exception_list: [] },
      { $exception_list: [], a: 1 },
      ['enriched', 'failed'],
    ]);
  });

  test('when the deadline of its batch passes, whether it was begun or not; what comes later changes nothing', async () => {
    const drafts = [exception(), exception(), exception()];
    const late = Promise.withResolvers<Record<string, unknown>>();
    let begun = 0;
    const { done, ends } = enriching(drafts, () => ((begun += 1), late.promise));
    await jest.advanceTimersByTimeAsync(1_000);
    await done;
    late.resolve({ a: 1 });
    await late.promise;
    expect([drafts.map(propertiesOf), ends, begun]).toEqual([
      drafts.map(() => ({ $exception_list: [] })),
      ['late', 'late', 'late'],
      2,
    ]);
  });
});

test.each([
  ['events', { atOnce: 3 }, 3],
  ['bytes', { atOnce: 9, bytesMax: 2 * (exception().position.end - exception().position.headStart) }, 2],
  ['bytes: one that is larger than all of them is alone', { atOnce: 9, bytesMax: 1 }, 1],
])('only so many are completed at a time: %s', async (_of, limits, expected) => {
  let [running, most] = [0, 0];
  const under: (() => void)[] = [];
  const { done, ends } = enriching(
    Array.from({ length: 12 }, exception),
    async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => void under.push(resolve));
      running--;
      return {};
    },
    limits,
  );
  while (ends.length < 12) {
    under.splice(0).forEach((finish) => finish());
    await jest.advanceTimersByTimeAsync(0);
  }
  await done;
  expect([most, ends.length]).toEqual([expected, 12]);
});

test('a stream that must be left waits for none of them: the batch is done again by its next owner', async () => {
  const { done, stream } = enriching([exception()], () => new Promise(() => undefined));
  stream.abort();
  await expect(done).rejects.toThrow(StreamStoppedError);
});
