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
