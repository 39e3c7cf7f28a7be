import { AppError } from '@millrace/http/errors/errors.ts';
import { expect, test } from '@jest/globals';
import { makeOfTrace } from './make-of-trace.ts';
import { unpackTrace } from './packed-trace.ts';
import type { StoredTrace } from './stored-event.ts';
import { storedTrace, type TestEvent } from './testing/stored-events.ts';

/** Spans, each below the one before, with a state of so many characters. */
const chain = (count: number, length: number): StoredTrace =>
  storedTrace(
    Array.from({ length: count }, (_, at): TestEvent => [
      '$ai_span',
      at,
      { $ai_span_id: `s${at}`, $ai_parent_id: `s${at - 1}`, $ai_input_state: 'x'.repeat(length) },
    ]),
  );

/** Makes something of a trace that is read event by event, and records the steps. `room`: bytes that may be held. */
async function make(stored: StoredTrace, room = Infinity) {
  const steps: unknown[] = [];
  let read = 0;
  const made = makeOfTrace({
    reserve() {
      steps.push('reserve');
      if (room === 0) throw new AppError('unavailable');
      return {
        hold(bytes: number) {
          if (bytes > room) throw new AppError('unavailable');
        },
        free: () => steps.push('free'),
      };
    },
    find(onRead) {
      let bytes = 0;
      for (const [at, { properties }] of stored.events.entries()) {
        onRead(at + 1, (bytes += properties.length));
        read = bytes;
      }
      return Promise.resolve(stored);
    },
    here: (found) => ({ where: 'here', found }),
    inThread: (_place, packed) => Promise.resolve({ where: 'in a thread', found: unpackTrace(new Uint8Array(packed)) }),
  });
  const outcome = await made.catch((error: unknown) => error);
  return { outcome, steps, readBytes: () => read };
}

test.each([
  ['a small trace is made here', chain(5, 1_000), 'here', []],
  ['a large one in a thread', chain(1, 40_000), 'in a thread', ['reserve', 'free']],
  ['so is one of many small events, which may be deep', chain(101, 0), 'in a thread', ['reserve', 'free']],
])('%s', async (_, stored, where, expected) => {
  const { outcome, steps } = await make(stored);
  expect(outcome).toEqual({ where, found: stored });
  expect(steps).toEqual(expected);
});

test('without a place a large trace is refused when its beginning has been read', async () => {
  const { outcome, steps, readBytes } = await make(chain(100, 10_000), 0);
  expect([outcome, steps]).toEqual([expect.objectContaining({ code: 'unavailable' }), ['reserve']]);
  expect(readBytes()).toBeLessThan(32_768);
});

test('without room for the rest of it the reading ends, and the place is given back', async () => {
  const { outcome, steps, readBytes } = await make(chain(100, 10_000), 200_000);
  expect([outcome, steps]).toEqual([expect.objectContaining({ code: 'unavailable' }), ['reserve', 'free']]);
  expect(readBytes()).toBeLessThan(200_000);
});
