import { describe, expect, test } from '@jest/globals';
import { asAdmin, map, onServerOf, partsOf } from './test-server-of.ts';

const rows = 4_000;
/** `max_parts_to_merge_at_once` of events. */
const partsMax = 8;

describe('as many parts of events as are merged at once', () => {
  onServerOf(1_000_000_000);

  test('a file for every stream of each of them fits into half of what the local server has', async () => {
    await asAdmin('SYSTEM STOP MERGES analytics.events');
    await asAdmin('ALTER TABLE analytics.events MODIFY SETTING min_bytes_for_wide_part = 1');
    for (let part = 0; part < partsMax; part++) {
      await asAdmin(
        `INSERT INTO analytics.events (team_id, uuid, timestamp, properties, person_properties) SELECT 1, generateUUIDv4(), '2026-01-01', ${map}, ${map} FROM numbers(${part * rows}, ${rows})`,
      );
    }
    expect(await partsOf('events')).toBe(`Wide\t${partsMax}\t${partsMax * rows}`);
    expect(
      await asAdmin(
        "SELECT extract(create_table_query, 'max_parts_to_merge_at_once = ([0-9]+)') FROM system.tables WHERE database = 'analytics' AND name = 'events'",
      ),
    ).toBe(String(partsMax));
    await asAdmin('SYSTEM START MERGES analytics.events');
    await asAdmin('OPTIMIZE TABLE analytics.events FINAL');
    expect(await partsOf('events')).toBe(`Wide\t1\t${partsMax * rows}`);
  });
});
