import { expect, test } from '@jest/globals';
import type { TablePlan } from '../../../../queries/compile/compile-table.ts';
import type { PreparedTable } from '../../../../queries/compile/prepare-table.ts';
import { createPreparedTables } from './prepared-tables.ts';

// Whatever is wrong with a table, no run fails because of it, and what is known of it is not looked for again (contract/endpoints 0.8).
const version = { query: { query: 'SELECT 1', variables: null }, propertyTypes: {} };
const table = (name: string) => ({ name, plan: {} as TablePlan, builtAtMs: 0 });
const rows = { limit: undefined, offset: undefined, rowsMax: 1 };
const context = { timeZone: 'UTC', testAccounts: [], nowMs: 0 };

test('a table is prepared once by its name', () => {
  let prepared = 0;
  const tables = createPreparedTables({ prepareTable: () => ({ at: prepared++ }) as unknown as PreparedTable });
  const first = tables.of(version, table('one'), 'o');
  expect(tables.of(version, table('one'), 'o')).toBe(first);
  expect(tables.of(version, table('other'), 'o')).not.toBe(first);
  expect(prepared).toBe(2);
});

test('a table whose plan this release cannot read fails as a table does that is gone, and is tried once', () => {
  let tried = 0;
  const tables = createPreparedTables({
    prepareTable() {
      tried += 1;
      throw new Error('an unknown type');
    },
  });
  for (const prepared of [1, 2].map(() => tables.of(version, table('one'), 'o'))) {
    expect(prepared.serves({})).toBe(true);
    expect(() => prepared.compile({}, rows, context)).toThrow('the plan of a table cannot be read');
  }
  expect(tried).toBe(1);
});
