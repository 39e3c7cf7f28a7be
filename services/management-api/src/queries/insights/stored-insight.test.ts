import { describe, expect, test } from '@jest/globals';
import { compileTable } from '../compile/compile-table.ts';
import { prepareTable } from '../compile/prepare-table.ts';
import { sourceFingerprint } from '../compile/source-fingerprint.ts';
import type { CheckedQuery } from '../compile/check-query.ts';

// A variable only selects stored rows (contract/insights 13).
const query = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'view' }],
  breakdownFilter: { breakdowns: [{ property: 'plan' }, { property: '`c1` OR true' }] },
  dateRange: { date_from: '-7d' },
} as unknown as CheckedQuery;
const filterContext = { timeZone: 'UTC', testAccounts: [], nowMs: Date.UTC(2025, 0, 20, 12) };
const { plan, columns, buckets } = compileTable({ query, kept: {}, bucketOverrides: null, filterContext });

function readOf(values: Record<string, string | number>) {
  const table = prepareTable({ plan: JSON.parse(JSON.stringify(plan)) as typeof plan, view: 'v1', query, kept: {} });
  return table.compile(values, { limit: undefined, offset: undefined, rowsMax: 1 });
}

describe('the table of an insight', () => {
  test('has its values as keys, keeps the moment, and is built whole', () => {
    expect(columns.map(({ name, isKey }) => [name, isKey])).toEqual([
      ['c0', false],
      ['c1', false],
      ['c2', false],
      ['c3', false],
      ['c4', true],
      ['c5', true],
    ]);
    expect(plan.insight).toEqual({ nowMs: filterContext.nowMs, folded: 'c1' });
    expect(buckets).toBeNull();
  });

  test.each<[string, Record<string, string | number>, string]>([
    ['all rows', {}, ''],
    ['rows of a value', { plan: "o'brien" }, 'WHERE and(not(`__t0`.`c1`), equals(`__t0`.`c4`, {p0:String})) '],
    ['rows without one', { plan: '' }, 'WHERE and(not(`__t0`.`c1`), isNull(`__t0`.`c4`)) '],
    [
      'rows of two values',
      { plan: 3, '`c1` OR true': 'x' },
      'WHERE and(not(`__t0`.`c1`), equals(`__t0`.`c4`, {p0:String}), equals(`__t0`.`c5`, {p1:String})) ',
    ],
  ])('is read for %s', (_name, values, where) => {
    const { sql, params } = readOf(values);
    expect(sql.slice(sql.indexOf('FROM'))).toBe(`FROM materialized.\`v1\` AS \`__t0\` ${where}LIMIT 520053`);
    expect(Object.values(params)).toEqual(
      Object.values(values)
        .filter((value) => value !== '')
        .map(String),
    );
  });

  test('is shown with the range of the build', () => {
    const { shape, range } = readOf({});
    expect(range?.current).toEqual({ from: '2025-01-13 00:00:00.000000', to: '2025-01-20 23:59:59.999999' });
    expect(shape?.([[0, false, [], [], 'pro', null]])).toMatchObject({
      hasMore: false,
      results: [{ breakdown_value: ['pro', null], data: [0, 0, 0, 0, 0, 0, 0, 0] }],
    });
  });
});

test('the fingerprint of an insight has the filter of test accounts where it is applied', () => {
  const of = (testAccounts: unknown[], more: object) =>
    sourceFingerprint(
      { query: { ...query, ...more }, propertyTypes: {}, bucketOverrides: null },
      { timeZone: 'UTC', testAccounts },
    );
  expect(of([1], { filterTestAccounts: true })).not.toBe(of([2], { filterTestAccounts: true }));
  expect(of([1], {})).toBe(of([2], {}));
});
