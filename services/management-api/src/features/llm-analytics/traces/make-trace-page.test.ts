import { expect, test } from '@jest/globals';
import { makeTracePage } from './make-trace-page.ts';
import { unpackTrace } from './packed-trace.ts';
import { storedTrace } from './testing/stored-events.ts';

const asker = { organizationId: 'acme', signal: new AbortController().signal };

test.each([
  ['the event loop', 1, false],
  ['a thread', 3, true],
])('%s makes the page of a trace of %d times 100,000 characters', async (_where, count, isInThread) => {
  const stored = storedTrace(
    Array.from({ length: count }, (_, at) => ['$ai_generation', at, { $ai_input: 'x'.repeat(100_000) }] as const),
  );
  const ofThread = new Uint8Array([1]);
  const sent: unknown[] = [];
  const tracePage = (traceId: string, packed: Uint8Array, ...rest: unknown[]): Promise<Uint8Array> => {
    sent.push(traceId, unpackTrace(new Uint8Array(packed)), ...rest);
    return Promise.resolve(ofThread);
  };
  const page = await makeTracePage({ tracePage }, { traceId: 't', stored }, asker);
  expect(sent).toEqual(isInThread ? ['t', stored, asker] : []);
  expect(page === ofThread).toBe(isInThread);
});
