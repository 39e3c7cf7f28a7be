import { describe, expect, test } from '@jest/globals';
import { reasonForWhole, reasonOfChanges, type FoundChanges } from './decide-increment.ts';
import { bucketsMax, overridesMsMax, wholeEveryMs } from './increment-limits.ts';
import { rebuildFingerprint } from './rebuild-fingerprint.ts';
import type { TenantSql } from '@millrace/query-language/tenant-sql.ts';

const increment = { fingerprint: 'f', readAtMs: 0, wholeAtMs: 0, bucketsStored: 10 };
const present = { name: 't', increment };
const build = { fingerprint: 'f', startedAtMs: 1_000, freshnessSeconds: 900 };

describe('a build is whole before anything is searched (contract/endpoints 6.3)', () => {
  test('not with a table of the same query', () => {
    expect(reasonForWhole(present, build)).toBeNull();
  });

  test.each([
    ['without a table', null, build],
    ['with a table that says nothing of itself', { name: 't', increment: undefined }, build],
    ['with the table of another query', present, { ...build, fingerprint: 'g' }],
  ])('%s', (_name, table, begun) => {
    expect(reasonForWhole(table, begun)).not.toBeNull();
  });

  test('where the next build would come more than a day after the last whole one', () => {
    const lastMs = wholeEveryMs - 900_000 * 0.9;
    expect(reasonForWhole(present, { ...build, startedAtMs: lastMs })).toBeNull();
    expect(reasonForWhole(present, { ...build, startedAtMs: lastMs + 1 })).not.toBeNull();
    expect(reasonForWhole(present, { ...build, freshnessSeconds: 86_400 })).toBeNull();
    expect(reasonForWhole(present, { ...build, startedAtMs: 8_700_000, freshnessSeconds: 86_400 })).not.toBeNull();
  });
});

describe('a build is whole because of what changed', () => {
  const found = (count: number, fields: Partial<FoundChanges> = {}): FoundChanges => ({
    buckets: Array.from({ length: count }, (_, value) => ({ value, from: 0, to: 1 })),
    areSound: true,
    sinceMs: 60_000,
    storedBuckets: 10,
    ...fields,
  });
  const reasonOf = (changes: FoundChanges, readsPersons = false) => reasonOfChanges(changes, { readsPersons });

  test('not with half of its buckets, or with none', () => {
    for (const count of [0, 1, 5]) expect(reasonOf(found(count))).toBeNull();
    expect(reasonOf(found(6))).toBe('more than half of the buckets changed');
  });

  test('with more buckets than can be named', () => {
    expect(reasonOf(found(bucketsMax, { storedBuckets: 10_000 }))).toBeNull();
    expect(reasonOf(found(bucketsMax + 1, { storedBuckets: 10_000 }))).toBe('too many buckets changed');
  });

  test('with times that no bucket is sure of, or a clock that went back', () => {
    expect(reasonOf(found(1, { areSound: false }))).not.toBeNull();
    expect(reasonOf(found(1, { sinceMs: -1 }))).not.toBeNull();
  });

  test('with merges that may be squashed, where persons are read', () => {
    const late = found(1, { sinceMs: overridesMsMax + 1 });
    expect([reasonOf(late), reasonOf(found(1, { sinceMs: overridesMsMax }), true)]).toEqual([null, null]);
    expect(reasonOf(late, true)).not.toBeNull();
  });
});

test('the fingerprint of a table is of its SQL, values, columns and zone', () => {
  const query = {
    sql: 'SELECT 1' as TenantSql,
    params: { p0: 'a' },
    columns: [],
    buckets: { column: 'd', unit: 'toDate' as const, timeZone: 'UTC', exact: [], readsPersons: false },
  };
  const columns = [{ name: 'd', column: 'c0', type: 'Date', isKey: true }];
  const of = rebuildFingerprint(query, columns);
  expect(rebuildFingerprint(structuredClone(query), columns)).toBe(of);
  for (const other of [
    rebuildFingerprint({ ...query, sql: 'SELECT 2' as TenantSql }, columns),
    rebuildFingerprint({ ...query, params: { p0: 'b' } }, columns),
    rebuildFingerprint({ ...query, plan: { fingerprint: 'of another release' } }, columns),
    rebuildFingerprint({ ...query, buckets: { ...query.buckets, timeZone: 'Asia/Tokyo' } }, columns),
    rebuildFingerprint(query, [{ name: 'd', column: 'c0', type: 'Date', isKey: false }]),
  ])
    expect(other).not.toBe(of);
});
