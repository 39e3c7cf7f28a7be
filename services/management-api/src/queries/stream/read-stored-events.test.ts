import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BrokenResultError } from '../result/result-bytes.ts';
import { readStoredEvents, storedEventForm, type StoredEvent } from './read-stored-events.ts';

const form = storedEventForm();
const end = `${form.endMark}2,"statistics":{"elapsed":0.5,"rows_read":9,"bytes_read":72}}`;
const all = { eventsMax: 100, bytesMax: 100_000 };

const event = (properties: string): StoredEvent => ({
  uuid: '0190f3a0-0000-7000-8000-000000000001',
  event: '$ai_span',
  timestamp: '2026-03-01T10:00:00.000000Z',
  properties: Buffer.from(properties),
});

const rowOf = ({ uuid, event: name, timestamp, properties }: StoredEvent): string =>
  `${uuid}\t${name}\t${timestamp}\t${properties.length}\n${properties.toString()}`;

/** A response in pieces of `size` bytes; it counts those that were taken, and knows whether its reader gave it up. */
function response(text: string, size: number) {
  const bytes = Buffer.from(text);
  const state = { taken: 0, isOver: false };
  async function* pieces(): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (let at = 0; at < bytes.length; at += size) {
        state.taken = Math.min(at + size, bytes.length);
        yield await Promise.resolve(bytes.subarray(at, at + size));
      }
    } finally {
      state.isOver = true;
    }
  }
  return { state, bytes: pieces() };
}

describe('rows of stored events', () => {
  test('are read whatever their texts are and wherever the bytes are cut', async () => {
    const texts = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '\n', '\t\n{}', end)), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 300 }), async (found, size) => {
        const events = found.map(event);
        const { bytes, state } = response(events.map(rowOf).join('') + end, size);
        expect(await readStoredEvents(bytes, form, all)).toEqual({ events, isWhole: true });
        expect(state.isOver).toBe(true);
      }),
    );
  });

  test('are not read further than the bounds, and the response is given up', async () => {
    const events = Array.from({ length: 50 }, () => event('x'.repeat(1_000)));
    for (const bounds of [
      { eventsMax: 3, bytesMax: 100_000 },
      { eventsMax: 100, bytesMax: 3_999 },
    ]) {
      const { bytes, state } = response(events.map(rowOf).join('') + end, 100);
      const read = await readStoredEvents(bytes, form, bounds);
      expect(read).toEqual({ events: events.slice(0, 3), isWhole: false });
      expect(state.taken).toBeLessThan(3_600);
      expect(state.isOver).toBe(true);
    }
  });

  test('are given up by who is told of them, before the next one is read', async () => {
    const events = Array.from({ length: 50 }, () => event('x'.repeat(1_000)));
    const { bytes, state } = response(events.map(rowOf).join('') + end, 100);
    const told: [events: number, bytes: number][] = [];
    const reading = readStoredEvents(bytes, form, all, (...read) => {
      told.push(read);
      if (read[1] > 2_500) throw new Error('enough');
    });
    await expect(reading).rejects.toThrow('enough');
    expect(told).toEqual([1, 2, 3].map((count) => [count, count * 1_000]));
    expect([state.taken < 2_400, state.isOver]).toEqual([true, true]);
  });

  test('may have all that the bounds let in', async () => {
    const events = [event('x'.repeat(10)), event('ü'.repeat(5))];
    const { bytes } = response(events.map(rowOf).join('') + end, 7);
    expect(await readStoredEvents(bytes, form, { eventsMax: 2, bytesMax: 20 })).toEqual({ events, isWhole: true });
  });

  test('a first one that is too large is read alone', async () => {
    const events = [event('x'.repeat(10)), event('')];
    const { bytes } = response(events.map(rowOf).join('') + end, 7);
    expect(await readStoredEvents(bytes, form, { eventsMax: 2, bytesMax: 9 })).toEqual({
      events: events.slice(0, 1),
      isWhole: false,
    });
  });

  test('a response that ends before they do is an error, wherever it ends', async () => {
    const whole = rowOf(event('{"a":1}')) + end;
    for (let length = 0; length < whole.length; length += 1) {
      const { bytes, state } = response(whole.slice(0, length), 50);
      await expect(readStoredEvents(bytes, form, all)).rejects.toThrow(BrokenResultError);
      expect(state.isOver).toBe(true);
    }
  });

  test('may be as large as an event can be', async () => {
    const events = [event(JSON.stringify({ $ai_input: 'ü\\"\n'.repeat(1_000_000) }))];
    const { bytes } = response(events.map(rowOf).join('') + end, 65_536);
    expect((await readStoredEvents(bytes, form, { eventsMax: 2, bytesMax: 1e8 })).events).toEqual(events);
  });
});
