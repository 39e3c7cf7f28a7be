import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { packTrace, unpackTrace } from './packed-trace.ts';

const text = fc.string({ unit: 'grapheme' });
const anyTrace = fc.record({
  events: fc.array(
    fc.record({ uuid: fc.uuid(), event: text, timestamp: fc.constant('2026-01-31T00:00:00.000000Z'), properties: text.map((it) => Buffer.from(it)) }),
  ),
  eventsOmitted: fc.nat(),
}); // prettier-ignore

test('a packed trace is the same trace when it is unpacked', async () => {
  await fc.assert(
    fc.asyncProperty(anyTrace, async (trace) => {
      expect(unpackTrace(await packTrace(trace))).toEqual(trace);
    }),
  );
});

test('packing lets others take turns', async () => {
  const event = { uuid: 'u', event: '$ai_span', timestamp: '', properties: Buffer.alloc(1_200_000) };
  const packing = packTrace({ events: Array.from({ length: 8 }, () => event), eventsOmitted: 0 });
  let turns = 0;
  let isPacked = false;
  const count = (): void => {
    turns += 1;
    if (!isPacked) setImmediate(count);
  };
  setImmediate(count);
  expect((await packing).length).toBeGreaterThan(9_600_000);
  isPacked = true;
  expect(turns).toBeGreaterThanOrEqual(6);
});
