import { describe, expect, test } from '@jest/globals';
import { encodeRows } from './encode-rows.ts';
import { personDistinctIds, type PersonDistinctIdRow } from './tables.ts';

/** Enough rows for a body of more than one megabyte: only such memory is used again. */
function rowsOf(letter: string, amount = 3_000): PersonDistinctIdRow[] {
  return Array.from({ length: amount }, (_, index) => ({
    team_id: 7,
    distinct_id: `${letter}${index} ${letter.repeat(500)}`,
    person_id: '0190f3a0-0000-7000-8000-000000000001',
    is_deleted: false,
    version: index,
  }));
}

describe('bodies in memory that was used before', () => {
  test('are what they would be in fresh memory, whatever their size', async () => {
    const fresh = await encodeRows(personDistinctIds, rowsOf('b'));
    const before = await encodeRows(personDistinctIds, rowsOf('a', 4_000));
    before.release();
    const after = await encodeRows(personDistinctIds, rowsOf('b'));
    expect(after.body.buffer).toBe(before.body.buffer);
    expect(after.body.equals(fresh.body)).toBe(true);
  });

  test('are never written over before they are released', async () => {
    const [one, other] = await Promise.all([encodeRows(personDistinctIds, rowsOf('c')), encodeRows(personDistinctIds, rowsOf('d'))]);
    const kept = Buffer.from(one.body);
    other.release();
    await encodeRows(personDistinctIds, rowsOf('e'));
    expect(one.body.equals(kept)).toBe(true);
  });
});
