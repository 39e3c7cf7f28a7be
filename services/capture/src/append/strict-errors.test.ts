import { describe, expect, test } from '@jest/globals';
import { parseBody } from '../http/parse-body.ts';
import type { PreparedEvents } from './store-events.ts';
import { strictErrors } from './strict-errors.ts';

type Batch = Pick<PreparedEvents['batch'], 'dropped' | 'warnings'>;

function faultsOf(events: unknown[], batch: Partial<Batch>) {
  const { dropped = [], warnings = [] } = batch;
  const text = Buffer.from(JSON.stringify({ batch: events }));
  const prepared = { body: parseBody(text), batch: { dropped, warnings } } as unknown as PreparedEvents;
  return strictErrors(prepared)?.map(({ index, uuid, code }) => [index, uuid, code]) ?? null;
}

describe('errors in strict mode (contract/capture 2.8)', () => {
  test('none', () => expect(faultsOf([{}], {})).toBeNull());

  test('what was dropped and what was changed, once each, in the order of the body', () => {
    expect(
      faultsOf([{ uuid: 'a' }, {}, 5, { uuid: 'd' }], {
        dropped: [
          { index: 2, reason: 'malformed_event' },
          { index: 0, reason: 'events_over_quota' },
        ],
        warnings: [
          { index: 1, type: 'distinct_id_truncated', details: { eventUuid: 'stored' } },
          { index: 2, type: 'malformed_event', details: {} },
          { index: 0, type: 'quota_limited', details: {} },
        ],
      }),
    ).toEqual([
      [0, 'a', 'events_over_quota'],
      [1, 'stored', 'distinct_id_truncated'],
      [2, null, 'malformed_event'],
    ]);
  });

  test('a field beside the properties that nothing reads, and a time under another name', () => {
    const errorsOf = (...batch: unknown[]) =>
      strictErrors({
        body: parseBody(Buffer.from(JSON.stringify({ batch }))),
        batch: { dropped: [], warnings: [] },
      } as unknown as PreparedEvents);
    const event = { event: 'e', distinct_id: 'd' };
    expect(
      errorsOf(
        { ...event, plan: 'pro', uuid: 'u' },
        { ...event, time: '2026-11-01T10:00:00Z' },
        { ...event, timestamp: '2026-11-01', time: 5 },
        { ...event, properties: { timestamp: '2026-11-01T10:00:00Z' } },
      )?.map(({ index, uuid, code, detail }) => [index, uuid, code, detail]),
    ).toEqual([
      [0, 'u', 'unread_field', '"plan" is not a field of an event, and is not stored. Write it in "properties".'],
      [
        1,
        null,
        'unread_field',
        '"time" is not a field of an event, which has no timestamp. Write "timestamp" instead.',
      ],
      [2, null, 'unread_field', '"time" is not a field of an event, and is not stored. Write it in "properties".'],
      [3, null, 'unread_field', 'The event has no timestamp. Write "timestamp" beside "properties", not in them.'],
    ]);
    expect(
      errorsOf(
        { ...event, type: 'capture', library: 'posthog-go', library_version: '1', send_feature_flags: false },
        { ...event, timestamp: '2026-11-01', properties: { timestamp: '2026-11-02', time: 1 } },
        { ...event, properties: { timestamp: 'soon' } },
      ),
    ).toBeNull();
  });

  const detailsOf = (event: object) =>
    strictErrors({
      body: parseBody(Buffer.from(JSON.stringify({ batch: [{ event: 'e', distinct_id: 'd', ...event }] }))),
      batch: { dropped: [], warnings: [] },
    } as unknown as PreparedEvents)?.map(({ code, detail }) => `${code}: ${detail}`) ?? [];

  test.each([
    [{ groups: { company: 'acme' } }, 'Write it in "properties" as "$groups".'],
    [{ set: { plan: 'pro' } }, 'Write "$set" instead.'],
    [{ setOnce: { plan: 'pro' } }, 'Write "$set_once" instead.'],
    [{ Properties: { plan: 'pro' } }, 'Write "properties" instead.'],
    [{ traits: { plan: 'pro' } }, 'Write "$set" instead.'],
    [{ distinctId: 'x' }, 'Write "distinct_id" instead.'],
  ])('a field under another name is told its own: %j', (event, instead) =>
    expect(detailsOf(event)).toEqual([
      `unread_field: ${JSON.stringify(Object.keys(event)[0])} is not a field of an event, and is not stored. ${instead}`,
    ]),
  );

  test.each([
    [{ $set: ['x'] }, '"$set" has no effect'],
    [{ properties: { $set: 'pro' } }, '"properties.$set" has no effect'],
    [{ $unset: 'plan' }, 'a list of names'],
    [{ properties: { $groups: 'acme' } }, '"properties.$groups" names no group'],
    [{ event: '$groupidentify', properties: { $group_type: 'company' } }, 'without $group_key in "properties"'],
    [{ event: '$groupidentify' }, 'without $group_type and $group_key in "properties"'],
    [
      { event: '$groupidentify', properties: { $group_type: 'company', $group_key: 'acme', $group_set: 'pro' } },
      '"properties.$group_set" has no effect',
    ],
  ])('a value without an effect is no Ok: %j', (event, words) =>
    expect(detailsOf(event)).toEqual([expect.stringContaining(words)]),
  );

  test.each([
    ['2026', '1970-01-01T00:33:46.000000Z'],
    ['20261125', '1970-08-23T12:05:25.000000Z'],
    [46_000, '1970-01-01T12:46:40.000000Z'],
    [0, '1970-01-01T00:00:00.000000Z'],
  ])('a time that lands before 1973 is no Ok: %j', (timestamp, stored) =>
    expect(detailsOf({ timestamp })).toEqual([
      expect.stringContaining(
        `doubtful_timestamp: The timestamp ${JSON.stringify(timestamp)} is read as seconds since 1970: ${stored}.`,
      ),
    ]),
  );

  test.each([
    { $set: { a: 1 }, $set_once: {}, $unset: ['a'], properties: { $set: null, $groups: { company: 'acme' } } },
    { $unset: { a: 1 } },
    { event: '$groupidentify', properties: { $group_type: 'company', $group_key: 5, $group_set: { a: 1 } } },
    { timestamp: 1_795_256_430 },
    { timestamp: '1795256430123' },
    { timestamp: '1971-03-01' },
    { timestamp: 2026, offset: 5 },
    { timestamp: ' ' },
  ])('what has its effect is Ok: %j', (event) => expect(detailsOf(event)).toEqual([]));

  test('nothing is looked for in a large body', () => {
    const body = parseBody(
      Buffer.from(JSON.stringify({ event: 'e', distinct_id: 'd', plan: 'x'.repeat(300_000), properties: {} })),
    );
    expect(
      strictErrors({ body, batch: { dropped: [], warnings: [] } as unknown as PreparedEvents['batch'] }),
    ).toBeNull();
  });

  test('what is stored just as it was sent is no error', () => {
    const details = { eventUuid: 'a' };
    expect(
      faultsOf([{}], {
        warnings: [
          { index: 0, type: 'event_uuid_timestamp_divergent', details },
          { index: 0, type: 'invalid_event_session_id', details },
        ],
      }),
    ).toBeNull();
    expect(faultsOf([{}], { dropped: [{ index: 0, reason: 'dropped_performance_event' }] })).toBeNull();
  });
});
