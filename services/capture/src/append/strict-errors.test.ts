import { describe, expect, test } from '@jest/globals';
import type { PreparedEvents } from './store-events.ts';
import { strictErrors } from './strict-errors.ts';

type Batch = Pick<PreparedEvents['batch'], 'dropped' | 'warnings'>;

function faultsOf(events: unknown[], batch: Partial<Batch>) {
  const { dropped = [], warnings = [] } = batch;
  const prepared = { body: { events }, batch: { dropped, warnings } } as unknown as PreparedEvents;
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
