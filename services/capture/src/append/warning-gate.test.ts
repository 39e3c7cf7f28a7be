import { describe, expect, test } from '@jest/globals';
import type { CapturedWarning } from '@millrace/contracts/ingestion-warnings.ts';
import { createWarningGate } from './warning-gate.ts';

const warning = (changes: Partial<CapturedWarning> = {}): CapturedWarning => ({
  type: 'missing_event_name',
  token: 't',
  projectId: 1,
  timestamp: '2026-11-21T12:00:00.000000Z',
  count: 1,
  details: {},
  ...changes,
});
const hour = 3_600_000;

describe('what reaches the log of a flood of warnings (contract/capture 4.7)', () => {
  test('one warning an hour about the same thing is sent at once; the rest is collected, and the counts lose no event', () => {
    const gate = createWarningGate();
    expect(gate.admit(warning(), 0)).toEqual(warning());
    expect([gate.admit(warning({ count: 5 }), 1), gate.admit(warning(), hour - 1)]).toEqual([null, null]);
    expect(gate.suppressed()).toBe(2);
    expect(gate.collect()).toEqual([warning({ count: 6, details: { repeated: 2 } })]);
    expect(gate.collect()).toEqual([]);
    expect(gate.admit(warning(), hour)).toEqual(warning());
  });

  test('a warning that did not reach the log may be sent again', () => {
    const gate = createWarningGate();
    gate.admit(warning(), 0);
    gate.retract(warning());
    expect(gate.admit(warning(), 1)).not.toBeNull();
  });

  test('what was collected and did not reach the log is collected again, with what came since', () => {
    const gate = createWarningGate();
    for (let time = 0; time < 3; time++) gate.admit(warning({ count: 2 }), time);
    for (const collected of gate.collect()) gate.giveBack(collected);
    gate.admit(warning(), 3);
    expect(gate.collect()).toEqual([warning({ count: 5, details: { repeated: 3 } })]);
  });

  test('details of one event are sent only for a single event; details that all share are sent for any number', () => {
    const request = { lib: 'web', libVersion: '1', path: '/e/' };
    const about = (n: number) => ({ eventUuid: `u${n}`, event: 'paid', distinctId: 'ann', ...request });
    const gate = createWarningGate();
    const keepBack = (n: number) => gate.admit(warning({ details: about(n) }), 0);
    keepBack(0);
    keepBack(1);
    const [single] = gate.collect();
    expect(single).toEqual(warning({ details: { ...about(1), repeated: 1 } }));
    if (single !== undefined) gate.giveBack(single);
    keepBack(2);
    expect(gate.collect()[0]).toStrictEqual(warning({ count: 2, details: { ...request, repeated: 2 } }));
  });

  test('a quota is named for any number of events; a distinct id above its rate only while it is the only one', () => {
    const gate = createWarningGate();
    const collectedOf = (type: CapturedWarning['type'], details: Record<string, unknown>[]) => {
      for (let n = 0; n < 2; n++) for (const one of details) gate.admit(warning({ type, details: one }), 0);
      return gate.collect()[0]?.details;
    };
    const quota = { resource: 'events', limit: 5, period: 'day' };
    const over = (n: number) => ({ eventUuid: `u${n}`, event: 'paid', ...quota });
    expect(collectedOf('quota_limited', [over(1), over(2)])).toEqual({ ...quota, repeated: 3 });
    const above = (distinctId: string) => ({ distinctIdCount: 1, distinctId });
    expect(collectedOf('high_volume_distinct_id', [above('ann'), above('ann')])).toEqual({
      ...above('ann'),
      repeated: 3,
    });
    expect(collectedOf('high_volume_distinct_id', [above('bob'), above('cy'), above('di')])).toEqual({ repeated: 3 });
  });

  test('quotas, severities and projects are collected apart', () => {
    const gate = createWarningGate();
    const kinds = [
      warning(),
      warning({ projectId: 2 }),
      warning({ severity: 'error' }),
      warning({ type: 'quota_limited', details: { resource: 'events' } }),
      warning({ type: 'quota_limited', details: { resource: 'exceptions' } }),
    ];
    for (const one of [...kinds, ...kinds]) gate.admit(one, 0);
    expect(gate.collect().map(({ count }) => count)).toEqual([1, 1, 1, 1, 1]);
  });

  test('projects, types, and those it is about do not share', () => {
    const gate = createWarningGate();
    const others = [
      warning(),
      warning({ projectId: 2 }),
      warning({ projectId: null, token: 'other' }),
      warning({ type: 'missing_distinct_id' }),
      warning({ details: { distinctId: 'ann' } }),
      warning({ details: { distinctId: 'bob' } }),
      warning({ details: { groupKey: 'acme' } }),
      warning({ details: { resource: 'events' } }),
      warning({ details: { resource: 'exceptions' } }),
      warning({ severity: 'error' }),
    ];
    expect(others.map((one) => gate.admit(one, 0))).toEqual(others);
  });

  test('a flood about ever new ids: a hundred, then one a second, none lost from the count, others not touched', () => {
    const gate = createWarningGate();
    const flood = Array.from({ length: 10_000 }, (_, index) =>
      gate.admit(warning({ details: { distinctId: `d${index}` } }), 0),
    );
    expect(flood.filter((one) => one !== null)).toHaveLength(100);
    expect(gate.admit(warning({ details: { distinctId: 'later' } }), 1_000)).not.toBeNull();
    expect(gate.collect()).toEqual([warning({ count: 9_900, details: { repeated: 9_900 } })]);
    expect(gate.admit(warning({ projectId: 2 }), 0)).not.toBeNull();
  });

  test('a flood of projects does not fill the memory: the longest unused is forgotten', () => {
    const gate = createWarningGate();
    for (let projectId = 1; projectId <= 60_000; projectId++) gate.admit(warning({ projectId }), 0);
    expect(gate.admit(warning({ projectId: 60_000 }), 0)).toBeNull();
    expect(gate.admit(warning({ projectId: 1 }), 0)).not.toBeNull();
  });
});
