import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import type { LearnedNames } from '@millrace/query-language/schema/learned-names.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { prepareEndpointQuery } from './compile-query.ts';

const filterContext = { nowMs: 0, timeZone: 'UTC', testAccounts: [] };
const rows = { limit: undefined, offset: undefined, rowsMax: 10 };
const made = (): LearnedNames => ({
  events: ['paid'],
  properties: { event: [{ name: 'revenue', type: 'Numeric' }] },
  isComplete: true,
});

test('a prepared query has one result for the same names, and another for others or none', () => {
  const query = prepareEndpointQuery('SELECT properties.revenue FROM events', [], {});
  const names = made();
  const first = query.compile({}, rows, filterContext, names);
  expect(query.compile({}, rows, filterContext, names)).toBe(first);
  expect(query.compile({}, rows, filterContext, made())).not.toBe(first);
  const untyped = query.compile({}, rows, filterContext);
  expect(untyped.columns).not.toEqual(first.columns);
  expect(query.compile({}, rows, filterContext)).toBe(untyped);
});

test('a prepared query leaves the names of its last run to the garbage collector', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const query = prepareEndpointQuery('SELECT properties.revenue FROM events', [], {});
  const run = (): WeakRef<LearnedNames> => {
    const names = made();
    query.compile({}, rows, filterContext, names);
    return new WeakRef(names);
  };
  const names = run();
  await eventually(() => {
    collect();
    expect(names.deref()).toBeUndefined();
  });
  expect(query.compile({}, rows, filterContext).columns).not.toEqual([]);
});
