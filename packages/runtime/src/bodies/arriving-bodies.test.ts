import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Arrival, ArrivingLimits, BodyReading, Ending } from './arrival.ts';
import { createArrivingBodies, type ArrivingBodies } from './arriving-bodies.ts';
import type { Shortage } from './slowest-first.ts';

const limits: ArrivingLimits = {
  idleMsMax: 10_000,
  totalMsMax: 60_000,
  bytesPerSecondMin: 500,
  rateMs: 10_000,
  bytesInFlightMax: 1_000_000,
  senderBytesMax: 150_000,
};

let held: { bytesInFlight: number };
let bodies: ArrivingBodies;
let shortages: Shortage[];
let pausedMs: number;

beforeEach(() => {
  jest.useFakeTimers();
  pausedMs = 0;
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + pausedMs);
  held = { bytesInFlight: 0 };
  shortages = [];
  bodies = createArrivingBodies(limits, held, (shortage) => shortages.push(shortage));
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

interface Sent extends BodyReading {
  arrival: Arrival;
  ended: Ending | null;
  send: (bytes: number) => void;
}

function begin(from: string): Sent {
  const sent: Sent = {
    ended: null,
    end: (ending) => (sent.ended = ending),
    sender: () => from,
    send: (bytes) => {
      if (sent.ended === null) bodies.take(sent.arrival, bytes, true);
    },
    arrival: null as unknown as Arrival,
  };
  sent.arrival = bodies.begin(sent);
  return sent;
}

/** Seconds in which each of `sending` sends so many bytes, in ten pieces. */
function pass(seconds: number, sending: (readonly [Sent, number])[] = []): void {
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    for (const [sent, bytesPerSecond] of sending) sent.send(bytesPerSecond / 10);
    jest.advanceTimersByTime(100);
  }
}

/** The clock continues, and no timer does. */
function processPauses(ms: number): void {
  pausedMs += ms;
}

test('while nothing arrives nobody watches, and what arrives after that is watched', () => {
  expect(jest.getTimerCount()).toBe(0);
  const sent = begin('a');
  expect(jest.getTimerCount()).toBe(1);
  pass(2);
  bodies.done(sent.arrival);
  pass(2);
  expect(jest.getTimerCount()).toBe(0);
  const stalled = begin('b');
  pass(9);
  expect(stalled.ended).toBeNull();
  pass(3);
  expect(stalled.ended).toBe('idle');
});

describe('bodies that stall', () => {
  test('nothing for 10 s: idle; not before', () => {
    const sent = begin('a');
    sent.send(10_000);
    pass(9);
    expect(sent.ended).toBeNull();
    pass(3);
    expect(sent.ended).toBe('idle');
    expect(held.bytesInFlight).toBe(0);
  });

  test('below the least rate: slow, also when the beginning came fast', () => {
    const [trickling, once, mobile] = [begin('a'), begin('b'), begin('c')];
    once.send(50_000);
    pass(25, [
      [trickling, 100],
      [once, 100],
      [mobile, 1_000],
    ]);
    expect([trickling.ended, once.ended, mobile.ended]).toEqual(['slow', 'slow', null]);
  });

  test('a link that pauses for 8 s of every 10 is not cut, nor is a body that ends before 10 s, however slow', () => {
    const [pausing, tiny] = [begin('a'), begin('b')];
    for (let turn = 0; turn < 4; turn++) {
      pass(2, [
        [pausing, 4_000],
        [tiny, 10],
      ]);
      pass(6);
      bodies.done(tiny.arrival);
    }
    expect([pausing.ended, tiny.ended]).toEqual([null, null]);
  });

  test('a body of which the first byte comes late has its 10 s from then on', () => {
    const [thinking, trickling] = [begin('a'), begin('b')];
    pass(8);
    pass(10, [
      [thinking, 1_000],
      [trickling, 100],
    ]);
    expect(thinking.ended).toBeNull();
    pass(2, [
      [thinking, 1_000],
      [trickling, 100],
    ]);
    expect([thinking.ended, trickling.ended]).toEqual([null, 'slow']);
  });

  test('a pause of the process is no pause of the sender', () => {
    const [steady, silent] = [begin('a'), begin('b')];
    silent.send(1);
    pass(2, [[steady, 1_000]]);
    processPauses(60_000);
    pass(8, [[steady, 1_000]]);
    processPauses(9_000);
    pass(2, [[steady, 1_000]]);
    expect([steady.ended, silent.ended]).toEqual([null, 'slow']);
    pass(50, [[steady, 1_000]]);
    expect(steady.ended).toBe('total');
  });

  test('whatever its rate, a body ends after its total time', () => {
    const sent = begin('a');
    pass(62, [[sent, 1_000]]);
    expect(sent.ended).toBe('total');
  });
});

describe('when memory is short', () => {
  test('the slowest end, not the newest, and not those that make headway; nothing is lost count of', () => {
    const stalled = Array.from({ length: 13 }, (_, index) => begin(`attacker ${index}`));
    for (const one of stalled) one.send(75_000);
    const mobile = begin('mobile');
    pass(4, [[mobile, 3_000]]);
    const large = begin('large');
    pass(2, [
      [mobile, 3_000],
      [large, 60_000],
    ]);
    const good = Array.from({ length: 20 }, () => begin('good'));
    for (const one of good) one.send(10_000);
    expect([...good, mobile, large].map(({ ended }) => ended)).toEqual(Array.from({ length: 22 }, () => null));
    const ended = stalled.filter((one) => one.ended === 'memory');
    expect(ended.length).toBeGreaterThanOrEqual(4);
    expect(held.bytesInFlight).toBeLessThanOrEqual(limits.bytesInFlightMax);
    for (const one of [...stalled, ...good, mobile, large]) bodies.done(one.arrival);
    expect(held.bytesInFlight).toBe(0);
    expect(bodies.counts()).toEqual({ bodies: 0, bytes: 0 });
  });

  test.each([0, 100, 900])(
    'a small body that began %d ms before its pace was first looked at is not taken for one that stalls',
    (earlyMs) => {
      jest.advanceTimersByTime(1_000 - earlyMs);
      const mobile = begin('mobile');
      jest.advanceTimersByTime(earlyMs);
      mobile.send(2_000);
      const stalled = Array.from({ length: 13 }, (_, index) => begin(`attacker ${index}`));
      for (const one of stalled) one.send(76_700);
      jest.advanceTimersByTime(100);
      begin('good').send(20_000);
      expect(mobile.ended).toBeNull();
      expect(stalled.filter((one) => one.ended === 'memory').length).toBeGreaterThan(0);
    },
  );

  test('a sender whose slow bodies hold more than a share goes first, though others are slower', () => {
    const many = Array.from({ length: 10 }, () => begin('many')).map((one) => [one, 6_000] as const);
    pass(6, many);
    const slower = begin('alone');
    slower.send(95_000);
    pass(8, many);
    begin('good').send(100_000);
    expect(slower.ended).toBeNull();
    expect(many.filter(([{ ended }]) => ended === 'share').length).toBeGreaterThan(0);
    expect(bodies.ended.share).toBe(many.filter(([{ ended }]) => ended !== null).length);
  });

  test('a server that sends much in many fast bodies is no such sender', () => {
    const stalled = begin('stalled');
    stalled.send(99_000);
    pass(4);
    // Twice the share of a sender, in bodies that are under way.
    const fast = Array.from({ length: 30 }, () => begin('server'));
    for (const one of fast) one.send(30_000);
    begin('good').send(20_000);
    expect(stalled.ended).toBe('memory');
    expect(fast.every(({ ended }) => ended === null)).toBe(true);
  });

  test('memory is freed for more than one piece, and reported together', () => {
    const stalled = Array.from({ length: 400 }, (_, index) => begin(`a${index % 40}`));
    for (const one of stalled) one.send(2_500);
    pass(8);
    begin('good').send(1);
    expect(shortages).toHaveLength(1);
    expect(shortages[0]?.bytes).toBeGreaterThanOrEqual(limits.bytesInFlightMax / 16);
    expect(shortages[0]?.largest.bytes).toBeLessThan((shortages[0]?.bytes ?? 0) / 2);
    for (let piece = 0; piece < 1_000; piece++) begin('good').send(60);
    expect(shortages).toHaveLength(1);
  });

  test('complete bodies cannot be ended: then the arriving one is', () => {
    held.bytesInFlight = limits.bytesInFlightMax;
    expect(bodies.freeMemory()).toBe(true);
    const late = begin('good');
    late.send(1);
    expect(late.ended).toBe('memory');
    held.bytesInFlight += 1;
    expect(bodies.freeMemory()).toBe(false);
  });

  test('what is thrown away while it arrives takes no room', () => {
    const discarded = begin('a');
    bodies.take(discarded.arrival, 5_000_000, false);
    expect([held.bytesInFlight, discarded.ended]).toEqual([0, null]);
  });
});
