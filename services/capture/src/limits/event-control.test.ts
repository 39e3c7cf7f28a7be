import { describe, expect, test } from '@jest/globals';
import { readDeadLetters } from '@millrace/captured-event/dead-letter.ts';
import { decodeBundle, encodeBundle, type EntryDraft } from '@millrace/captured-event/event-bundle.ts';
import type { QuotaResource } from '@millrace/contracts/project-limits.ts';
import { withoutPersons } from '@millrace/captured-event/encode-head.ts';
import { redirectedEntry } from '../append/control-entry.ts';
import { createEventControl, type EventControlOptions } from './event-control.ts';
import { unrestricted, placeEvent } from './place-event.ts';
import type { ProjectLimits } from './project-limits.ts';
import { createQuotaCounter } from './quota-counter.ts';
import { compileRestrictions, type Restriction } from './restriction-rules.ts';

const uuid = '0190aaaa-0000-7000-8000-000000000001';
const event = (name = 'click', properties = {}) => ({ event: name, distinctId: 'ann', uuid, properties });

function control(
  changes: Partial<EventControlOptions> & {
    restrictions?: Partial<Restriction>[];
    quotas?: Partial<Record<QuotaResource, number>>;
  },
) {
  const { restrictions = [], quotas = {}, ...options } = changes;
  const full = restrictions.map((one): Restriction => ({
    action: 'drop_event',
    distinctIds: [],
    events: [],
    sessionIds: [],
    uuids: [],
    ...one,
  }));
  const limits: ProjectLimits = {
    rules: compileRestrictions(full),
    quotas: new Map(
      Object.entries(quotas).map(([resource, limit]) => [
        resource as QuotaResource,
        { limit, counter: createQuotaCounter('day', 0) },
      ]),
    ),
  };
  const isLimited = full.length > 0 || Object.keys(quotas).length > 0;
  return createEventControl({
    limitsOf: () => (isLimited ? limits : undefined),
    tokenRate: null,
    keyRate: null,
    overflowKeepsKey: true,
    projectRate: null,
    isShared: () => true,
    ...options,
  });
}

const lane = (decision: ReturnType<ReturnType<ReturnType<typeof control>['forRequest']>>): string =>
  decision.dropped === null ? decision.placement.lane : decision.dropped;

describe('what happens to an accepted event (contract/capture 1.11)', () => {
  test('with nothing set, its kind decides, and every event gets the very same answer', () => {
    const decide = control({}).forRequest('t', false, 0);
    expect([
      lane(decide(event(), 'k')),
      lane(decide(event('$exception'), 'k')),
      lane(control({}).forRequest('t', true, 0)(event(), 'k')),
    ]).toEqual(['main', 'exceptions', 'historical']);
    expect(decide(event(), 'k')).toBe(decide(event('view'), 'other'));
  });

  test("an operator's restriction applies before a quota counts, and the warning names the event", () => {
    const decide = control({ restrictions: [{ distinctIds: ['ann'] }], quotas: { events: 0 } }).forRequest(
      't',
      false,
      0,
    );
    expect(decide(event(), 'k')).toEqual({
      dropped: 'event_restriction_drop',
      warning: { type: 'event_restriction_drop', details: { eventUuid: uuid, event: 'click', distinctId: 'ann' } },
    });
  });

  test('restrictions recognize sessions by the property', () => {
    const decide = control({ restrictions: [{ sessionIds: ['s1'] }] }).forRequest('t', false, 0);
    expect([
      lane(decide(event('click', { $session_id: 's1' }), 'k')),
      lane(decide(event('click', { $session_id: 1 }), 'k')),
    ]).toEqual(['event_restriction_drop', 'main']);
  });

  test('a session id that is a UUID is the same in capitals: iOS sends it so, and it is stored in lower case', () => {
    const session = '0190F3A0-0000-7000-8000-00000000000A';
    const laneOf = (restriction: Partial<Restriction>, sent: string): string =>
      lane(
        control({ restrictions: [restriction] }).forRequest('t', false, 0)(event('click', { $session_id: sent }), 'k'),
      );
    for (const [reported, sent] of [
      [session.toLowerCase(), session],
      [session, session.toLowerCase()],
    ] as const) {
      expect([
        laneOf({ sessionIds: [reported] }, sent),
        laneOf({ sessionIds: [reported], events: ['click'] }, sent),
      ]).toEqual(['event_restriction_drop', 'event_restriction_drop']);
    }
    expect(laneOf({ sessionIds: ['S1'] }, 's1')).toBe('main');
  });

  test('a quota accepts events up to its limit, and reports what was limited', () => {
    const decide = control({ quotas: { events: 2 } }).forRequest('t', false, 0);
    expect([1, 2, 3].map(() => lane(decide(event(), 'k')))).toEqual(['main', 'main', 'events_over_quota']);
    // The warning names no distinct id, because the quota is the project's. An hour is the least time between two warnings about it.
    expect(decide(event(), 'k').warning).toEqual({
      type: 'quota_limited',
      details: { eventUuid: uuid, event: 'click', resource: 'events', limit: 2, period: 'day' },
    });
  });

  test('the quota of a kind ends that kind alone, and what it refuses counts nowhere', () => {
    const decide = control({ quotas: { events: 2, exceptions: 0 } }).forRequest('t', false, 0);
    expect([event('$exception'), event(), event(), event()].map((one) => lane(decide(one, 'k')))).toEqual([
      'exceptions_over_quota',
      'main',
      'main',
      'events_over_quota',
    ]);
  });

  test('a quota holds for historical events too; a new period has room again', () => {
    const limited = control({ quotas: { events: 0, surveys: 1 } });
    expect(lane(limited.forRequest('t', true, 0)(event(), 'k'))).toBe('events_over_quota');
    const daily = control({ quotas: { events: 1 } });
    expect([0, 1, 86_400_000].map((nowMs) => lane(daily.forRequest('t', false, nowMs)(event(), 'k')))).toEqual([
      'main',
      'events_over_quota',
      'main',
    ]);
  });

  test('a distinct id above its rate flows over with its key; far above, it is spread; both with a warning; others stay', () => {
    const decide = control({ keyRate: { perSecond: 1, burst: 2 } }).forRequest('t', false, 0);
    const decisions = Array.from({ length: 23 }, () => decide(event(), 't:ann'));
    expect(decisions.map(lane)).toEqual(['main', 'main', ...Array<string>(21).fill('overflow')]);
    expect(decisions[2]).toMatchObject({
      placement: { keyed: true, personless: false },
      warning: { type: 'high_volume_distinct_id', details: { distinctId: 'ann' } },
    });
    expect(decisions[22]).toMatchObject({ placement: { keyed: false, personless: true } });
    expect(lane(decide(event(), 't:bob'))).toBe('main');
  });

  test('beyond its share of the main lane a project flows over, in order and with its persons; another one does not', () => {
    const shared = control({ projectRate: { perSecond: 1, burst: 2 } });
    const decisions = ['a', 'b', 'c', 'c'].map((id) => shared.forRequest('t', false, 0)(event(), `t:${id}`));
    expect(decisions.map(lane)).toEqual(['main', 'main', 'overflow', 'overflow']);
    expect(decisions[2]).toMatchObject({
      placement: { keyed: true, personless: false },
      warning: { type: 'ingestion_capacity_overflow', details: { overflowDistinctId: 'ann' } },
    });
    expect(lane(shared.forRequest('u', false, 0)(event(), 'u:a'))).toBe('main');
    const others = [event('$exception'), event()].map((one, index) =>
      lane(shared.forRequest('t', index === 1, 0)(one, 't:d')),
    );
    expect(others).toEqual(['exceptions', 'historical']);
  });

  test('a project that is alone has the main lane for itself', () => {
    const decide = control({ projectRate: { perSecond: 1, burst: 1 }, isShared: () => false }).forRequest(
      't',
      false,
      0,
    );
    expect(Array.from({ length: 5 }, () => lane(decide(event(), 't:a')))).toEqual(Array(5).fill('main'));
  });

  test('historical events and exceptions use nothing up, and are never limited', () => {
    const limited = control({ keyRate: { perSecond: 0.001, burst: 1 }, tokenRate: { perSecond: 0.001, burst: 1 } });
    const past = limited.forRequest('t', true, 0);
    expect(Array.from({ length: 5 }, () => lane(past(event(), 'k')))).toEqual(Array(5).fill('historical'));
    expect([
      limited.admits('t', 9, true, 0),
      limited.admits('t', 9, false, 0),
      limited.admits('t', 1, false, 0),
      limited.admits('u', 1, false, 0),
    ]).toEqual([true, true, false, true]);
  });
});

describe('entries that restrictions change', () => {
  const entry: EntryDraft = { head: `{"uuid":"${uuid}"}`, bytes: Buffer.from('[{"a":1}]'), start: 1, end: 8 };

  test('the head holds that persons are not changed', () => {
    expect(JSON.parse(withoutPersons(entry.head))).toEqual({ uuid, personless: true });
  });

  test('a redirected event can be read back and replayed into the lane it was meant for', () => {
    const placement = placeEvent('historical', { ...unrestricted, deadLetter: true }, 'normal', true);
    const { head, bytes, start, end } = redirectedEntry(entry, uuid, placement, 3, 0);
    const [read] = readDeadLetters(encodeBundle([{ head: Buffer.from(head), body: bytes.subarray(start, end) }]));
    expect(read?.letter).toMatchObject({
      reason: 'operator_redirect',
      lane: 'historical',
      partition: 3,
      writer: 'capture',
      offset: uuid,
      failedAt: '1970-01-01T00:00:00.000000Z',
    });
    expect(decodeBundle(read?.payload ?? Buffer.alloc(0))).toEqual([
      { head: Buffer.from(entry.head), body: Buffer.from('{"a":1}') },
    ]);
  });
});
