import { describe, expect, test } from '@jest/globals';
import type { QueryCheck } from '../../queries/compile/check-query.ts';
import { changesOf, type EndpointChangeBody } from './endpoint-changes.ts';
import type { StoredEndpoint, StoredVersion } from './endpoint.ts';

// contract/endpoints 3: what becomes of the table of a version.
const checked = { query: { kind: 'HogQLQuery', query: 'SELECT 2' }, columns: [], types: {} } as unknown as QueryCheck;
const completed = { status: 'Completed', hibernatedAt: null };

interface Given {
  body: EndpointChangeBody;
  was?: object | null;
  isNew?: boolean;
  isActive?: [endpoint: boolean, version: boolean];
  reason?: string | null;
}

function changes({
  body,
  was = null,
  isNew = false,
  isActive: [endpoint, version] = [true, true],
  reason = null,
}: Given) {
  const current = {
    id: 'v1',
    query: { kind: 'HogQLQuery', query: 'SELECT 1' },
    isActive: version,
    optionalBreakdownProperties: [],
    dataFreshnessSeconds: 3600,
    bucketOverrides: null,
    materialization: was,
  } as unknown as StoredVersion;
  const stored = { endpoint: { name: 'e', isActive: endpoint }, current } as unknown as StoredEndpoint;
  return changesOf(stored, null, body, isNew ? checked : null, () => reason);
}

describe('the table of a version', () => {
  test.each<[string, Given, string | null]>([
    ['none, and none wanted', { body: {} }, null],
    ['none, and one wanted', { body: { is_materialized: true } }, 'enable'],
    ['none, and a new version', { body: {}, isNew: true }, null],
    ['none, and one wanted of a new version', { body: { is_materialized: true }, isNew: true }, 'enable'],
    ['one, and nothing is said', { body: {}, was: completed }, null],
    ['one, and one wanted', { body: { is_materialized: true }, was: completed }, null],
    ['one, and none wanted', { body: { is_materialized: false }, was: completed }, 'disable'],
    ['one, and a new version', { body: {}, was: completed, isNew: true }, 'enable'],
    ['one, and none wanted of a new version', { body: { is_materialized: false }, was: completed, isNew: true }, null],
    ['one, and the endpoint is switched off', { body: { is_active: false }, was: completed }, 'disableAll'],
    ['one, and other buckets', { body: { bucket_overrides: { timestamp: 'hour' } }, was: completed }, 'modify'],
    ['one, and another freshness', { body: { data_freshness_seconds: 900 }, was: completed }, 'reschedule'],
    [
      'one that failed, and one wanted',
      { body: { is_materialized: true, data_freshness_seconds: 900 }, was: { ...completed, status: 'Failed' } },
      'retry',
    ],
    ['one that failed, and nothing is said', { body: {}, was: { ...completed, status: 'Failed' } }, null],
    [
      'one that hibernates, and one wanted',
      {
        body: { is_materialized: true, bucket_overrides: { timestamp: 'hour' } },
        was: { status: 'Unknown', hibernatedAt: new Date() },
      },
      'enable',
    ],
  ])('there was %s', (_name, given, change) => {
    expect(changes(given)).toMatchObject({ materialization: change, materializationError: null });
  });
});

describe('a reason against it', () => {
  test('is a 400 on the field of the request', () => {
    const reason = 'a rule';
    for (const isNew of [true, false])
      for (const was of [null, completed]) {
        expect(() => changes({ body: { is_materialized: true }, was, isNew, reason })).toThrow(
          'Cannot materialize: a rule.',
        );
        const short = { data_freshness_seconds: 60 };
        if (was !== null)
          expect(() => changes({ body: short, was, isNew })).toThrow('Send is_materialized false with it.');
        else expect(changes({ body: short, was, isNew })).toMatchObject({ materialization: null });
      }
  });

  test('is told of a new version that takes over, which is made without', () => {
    expect(changes({ body: {}, was: completed, isNew: true, reason: 'a rule' })).toMatchObject({
      newVersion: { query: checked.query },
      materialization: null,
      materializationError: 'a rule',
    });
    expect(changes({ body: { description: 'd' }, was: completed, reason: 'a rule' })).toMatchObject({
      materializationError: null,
    });
  });
});

test.each<[string, Given, boolean]>([
  ['its endpoint is off', { body: {}, isActive: [false, true] }, false],
  ['it is off', { body: {}, isActive: [true, false] }, false],
  ['its endpoint is switched on', { body: { is_active: true }, isActive: [false, true] }, true],
  ['only its endpoint is switched on', { body: { is_active: true }, isActive: [false, false] }, false],
  ['the one before it is off', { body: {}, isActive: [true, false], isNew: true }, true],
])('a version is materialized while it and its endpoint are on: %s', (_name, given, isPossible) => {
  const asked = () => changes({ ...given, body: { ...given.body, is_materialized: true } });
  if (isPossible) expect(asked().materialization).toBe('enable');
  else expect(asked).toThrow('An inactive endpoint cannot be materialized.');
});
