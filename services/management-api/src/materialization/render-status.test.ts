import { expect, test } from '@jest/globals';
import { renderStatus } from './render-status.ts';

const row = {
  id: '0190a5c8-0000-7000-8000-000000000001',
  status: 'Completed',
  tableName: 'm_1',
  lastMaterializedAt: new Date('2026-03-01T10:00:00Z'),
  error: '',
  hibernatedAt: null,
  bucketsRebuilt: null,
  rowsRead: 5,
};

const able = { canMaterialize: true, reason: null };
const unable = { canMaterialize: false, reason: 'no' };

// The table of contract/endpoints 6.1.
test('a version that is not materialized has a status without a build', () => {
  const shown = {
    name: 'daily',
    enabled: false,
    ready: false,
    status: 'Unknown',
    last_materialized_at: null,
    error: '',
    saved_query_id: null,
    hibernated: false,
    buckets_rebuilt: null,
    rows_read: null,
  };
  expect(renderStatus('daily', null, able)).toEqual({ ...shown, can_materialize: true, reason: null });
  expect(renderStatus('daily', null, unable)).toEqual({
    ...shown,
    can_materialize: false,
    reason: 'no',
  });
  const unknown = renderStatus('daily', null, { canMaterialize: true, reason: 'not looked at' });
  expect(unknown).toEqual({ ...shown, can_materialize: true, reason: 'not looked at' });
});

test('one that is shows its last good table', () => {
  expect(renderStatus('daily', row, able)).toEqual({
    name: 'daily',
    enabled: true,
    ready: true,
    status: 'Completed',
    can_materialize: true,
    reason: null,
    last_materialized_at: '2026-03-01T10:00:00.000Z',
    error: '',
    saved_query_id: row.id,
    hibernated: false,
    buckets_rebuilt: null,
    rows_read: 5,
  });
});

test('what the last build did again is shown beside its table, and not without one', () => {
  expect(renderStatus('daily', { ...row, bucketsRebuilt: 0 }, able)).toMatchObject({
    buckets_rebuilt: 0,
    rows_read: 5,
  });
  expect(renderStatus('daily', { ...row, bucketsRebuilt: 3, tableName: null }, able)).toMatchObject({
    buckets_rebuilt: null,
    rows_read: null,
  });
});

test('a failure shows its reason, also while the next build runs, and the table of before stays ready', () => {
  for (const status of ['Failed', 'Running', 'Cancelled'])
    expect(renderStatus('daily', { ...row, status, error: 'too large' }, able)).toMatchObject({
      ready: true,
      status,
      error: 'too large',
    });
});

test('one without a table is not ready: before the first build, after a change, while it hibernates', () => {
  for (const status of ['Unknown', 'Running', 'Modified'])
    expect(renderStatus('daily', { ...row, status, tableName: null, lastMaterializedAt: null }, able)).toMatchObject({
      enabled: true,
      ready: false,
      last_materialized_at: null,
      hibernated: false,
    });
  const hibernating = { ...row, status: 'Unknown', tableName: null, hibernatedAt: new Date() };
  expect(renderStatus('daily', hibernating, able)).toMatchObject({ ready: false, hibernated: true });
});
