import { describe, expect, test } from '@jest/globals';
import { atOnceBytesMax } from '../body/in-turns.ts';
import type { ParsedBody } from '../http/parse-body.ts';
import { prepareEvents, type PreparedEvents, type StoreEventsDeps } from './store-events.ts';
import { strictErrors } from './strict-errors.ts';

const dropLog: unknown[] = [];
const deps = {
  tokens: { known: () => 7 },
  control: { admits: () => true, forRequest: () => () => undefined },
  dropLog: { record: (...args: unknown[]) => void dropLog.push(args) },
  partitionOf: () => 0,
  counters: { eventsDropped: { missing_event_name: 0 } },
} as unknown as StoreEventsDeps;

/** A request whose events are all dropped, with another warning about each. */
function prepare(events: number): PreparedEvents {
  dropLog.length = 0;
  const body = {
    events: Array.from({ length: events }, () => ({})),
    spans: Array.from({ length: events }, () => ({ start: 0, end: 0, properties: null })),
    bytes: Buffer.alloc(0),
    historical: false,
  } as unknown as ParsedBody;
  const arrival = { path: '/batch', token: 'phc_a', receivedAtMs: 0, sentAt: null, ip: undefined };
  const prepared = prepareEvents(deps, body, arrival, () => ({
    accepted: false,
    reason: 'missing_event_name',
    warnings: [
      { type: 'invalid_event_uuid', details: {} },
      { type: 'missing_event_name', details: { written: 'name' } },
    ],
  }));
  if (prepared instanceof Promise) throw new Error(`a body of more than ${atOnceBytesMax} bytes`);
  return prepared;
}

/** Processor time in microseconds. */
function cost(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** How many times the cost of ten requests of 1,000 events one of 10,000 has: 1, or 10 when it grows by the square. */
function costGrowth(one: () => unknown, ten: (() => unknown)[]): number {
  const costs = Array.from({ length: 9 }, () => [cost(one), cost(() => ten.forEach((work) => work()))] as const);
  return Math.min(...costs.map(([whole]) => whole)) / Math.min(...costs.map(([, parts]) => parts));
}

describe('a request full of events that are dropped (contract/capture 0.1)', () => {
  test('each is reported with the field that its sender wrote instead', () => {
    const prepared = prepare(2);
    expect(dropLog).toEqual(Array(2).fill(['missing_event_name', { projectId: 7, written: 'name' }]));
    expect(strictErrors(prepared)?.map(({ detail }) => detail)).toEqual(
      Array(2).fill('The event has no name. Write "event" instead of "name".'),
    );
  });

  // Ten times the events may cost ten times as much, not a hundred: other requests wait meanwhile.
  test('costs as much as it has events, when they are decided about', () => {
    const few = Array.from({ length: 10 }, () => () => prepare(1_000));
    expect(costGrowth(() => prepare(10_000), few)).toBeLessThan(4);
  });

  test('costs as much as it has events, when their errors are listed', () => {
    const many = prepare(10_000);
    const few = Array.from({ length: 10 }, () => prepare(1_000)).map((request) => () => strictErrors(request));
    expect(costGrowth(() => strictErrors(many), few)).toBeLessThan(4);
  });
});
