import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../compile.ts';
import { lowerFilters } from './lower-filters.ts';
import type { FilterOperator, QueryFilters } from './query-filters.ts';

const at = { start: 7, end: 16 };
const none = { from: undefined, to: undefined };
const filtersOf = (test: FilterOperator): QueryFilters => ({
  ...none,
  conditions: { all: true, members: [{ subject: { of: 'event' }, key: 'k', test }] },
});

describe('filters as an expression', () => {
  test('nothing is true', () => {
    expect(lowerFilters({ ...none, conditions: { all: true, members: [] } }, [], at)).toEqual({
      node: 'Constant',
      value: true,
      ...at,
    });
  });

  test('each node has the place of the placeholder, each column the place of its table in FROM', () => {
    const field = { node: 'Field', chain: ['properties', 'k'], from: 1, ...at };
    const number = { node: 'ReadAs', type: 'number', expr: field, ...at };
    expect(lowerFilters(filtersOf({ operator: '>', value: 5 }), ['persons', 'events'], at)).toEqual({
      node: 'And',
      exprs: [
        {
          node: 'And',
          exprs: [
            { node: 'CompareOperation', op: '>', left: number, right: { node: 'Constant', value: 5, ...at }, ...at },
          ],
          ...at,
        },
      ],
      ...at,
    });
  });

  test('the times hold for the time of the table', () => {
    const bounds = {
      from: '2026-01-01 00:00:00.000000',
      to: '2026-01-02 00:00:00.000000',
      conditions: { all: true, members: [] },
    };
    const columnOf = (table: string | undefined): string =>
      /"chain":\["([^"]+)"/.exec(JSON.stringify(lowerFilters(bounds, [table], at)))?.[1] ?? '';
    expect(['events', 'sessions', 'persons', 'query_log', undefined].map(columnOf)).toEqual([
      'timestamp',
      '$start_timestamp',
      'created_at',
      'query_start_time',
      'timestamp',
    ]);
  });

  test('a table of FROM is meant whatever else has its name', () => {
    const compiled = (name: string): string =>
      compileQuery({
        text: `select arrayFilter(${name} -> {filters}, [1]) from events`,
        filters: filtersOf({ operator: 'set' }),
        rowsMax: 1,
      }).sql;
    expect(compiled('events')).toBe(compiled('x'));
  });
});
