import { describe, expect, test } from '@jest/globals';
import { asAdmin, map, onServerOf, partsOf } from './test-server-of.ts';

// A merge that needs more than a server has is tried again for ever: parts pile up, until inserts are refused.
// As many parts as are merged at once: merge-memory.alone.test.ts.
const rows = 4_000;

describe('two parts on a small server', () => {
  onServerOf(480_000_000);

  test.each([
    {
      table: 'events',
      columns: 'team_id, uuid, timestamp, properties, person_properties',
      values: `1, generateUUIDv4(), '2026-01-01', ${map}, ${map}`,
    },
    { table: 'persons', columns: 'team_id, id, properties', values: `1, generateUUIDv4(), ${map}` },
    { table: 'groups', columns: 'team_id, group_key, properties', values: `1, toString(number), ${map}` },
  ])(
    '$table: a merge that gives every stream of the maps a file of its own fits into a small server',
    async ({ table, columns, values }) => {
      await asAdmin(`SYSTEM STOP MERGES analytics.${table}`);
      for (const first of [0, rows])
        await asAdmin(`INSERT INTO analytics.${table} (${columns}) SELECT ${values} FROM numbers(${first}, ${rows})`);
      expect(await partsOf(table)).toBe(`Compact\t2\t${2 * rows}`);
      await asAdmin(`ALTER TABLE analytics.${table} MODIFY SETTING min_bytes_for_wide_part = 1`);
      await asAdmin(`SYSTEM START MERGES analytics.${table}`);
      await asAdmin(`OPTIMIZE TABLE analytics.${table} FINAL`);
      expect(await partsOf(table)).toBe(`Wide\t1\t${2 * rows}`);
    },
  );
});
