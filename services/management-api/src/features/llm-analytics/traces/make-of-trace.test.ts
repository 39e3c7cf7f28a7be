import { expect, test } from '@jest/globals';
import { makeOfTrace } from './make-of-trace.ts';
import { unpackTrace } from './packed-trace.ts';
import { storedTrace } from './testing/stored-events.ts';
import { tracePageBytes } from './trace-page.ts';

test.each([
  ['the event loop', 1, false],
  ['a thread', 3, true],
])('%s makes the page of a trace of %d times 100,000 characters', async (_where, count, isInThread) => {
  const stored = storedTrace(
    Array.from({ length: count }, (_, at) => ['$ai_generation', at, { $ai_input: 'x'.repeat(100_000) }] as const),
  );
  const ofThread = new Uint8Array([1]);
  const sent: unknown[] = [];
  const page = await makeOfTrace<Uint8Array>(
    stored,
    () => tracePageBytes('t', stored),
    (packed) => {
      sent.push(unpackTrace(new Uint8Array(packed)));
      return Promise.resolve(ofThread);
    },
  );
  expect(sent).toEqual(isInThread ? [stored] : []);
  expect(page === ofThread).toBe(isInThread);
});
