import { describe, expect, test } from '@jest/globals';
import { events } from '@millrace/contracts/tables/events.ts';
import { ingestionWarnings } from '@millrace/contracts/tables/ingestion-warnings.ts';
import { personDistinctIds } from '@millrace/contracts/tables/person-distinct-ids.ts';
import { encodeRows, partitionWindow, RowBatch, type EncodedRows } from './encode-rows.ts';
import type { RowOf } from './table-columns.ts';

type IngestionWarningRow = RowOf<typeof ingestionWarnings>;
type PersonDistinctIdRow = RowOf<typeof personDistinctIds>;

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

async function encodeOne(rows: PersonDistinctIdRow[]): Promise<EncodedRows> {
  const bodies = await encodeRows(personDistinctIds, rows);
  expect(bodies).toHaveLength(1);
  return bodies[0] as EncodedRows;
}

describe('bodies in memory that was used before', () => {
  test('are what they would be in fresh memory, whatever their size', async () => {
    const fresh = await encodeOne(rowsOf('b'));
    const before = await encodeOne(rowsOf('a', 4_000));
    before.release();
    const after = await encodeOne(rowsOf('b'));
    expect(after.body.buffer).toBe(before.body.buffer);
    expect(after.body.equals(fresh.body)).toBe(true);
  });

  test('are never written over before they are released', async () => {
    const [one, other] = await Promise.all([encodeOne(rowsOf('c')), encodeOne(rowsOf('d'))]);
    const kept = Buffer.from(one.body);
    other.release();
    await encodeOne(rowsOf('e'));
    expect(one.body.equals(kept)).toBe(true);
  });
});

const windowOf = (timestamp: string | Date): number => partitionWindow(events, { timestamp } as RowOf<typeof events>);

test('which rows go together depends on nothing but their own months: at most a hundred, whatever else is in the batch', async () => {
  const months = (from: number, to: number): number[] =>
    Array.from({ length: to - from }, (_, index) => windowOf(new Date(Date.UTC(1970, from + index, 28))));
  expect(new Set(months(600, 700))).toEqual(new Set([6]));
  expect([
    windowOf('2019-12-31T23:59:59.999999Z'),
    windowOf('2020-05-01 00:00:00'),
    windowOf('1969-12-31T23:59:59Z'),
    windowOf('1900-01-01T00:00:00Z'),
  ]).toEqual([5, 6, -1, -9]);
  const warning = (timestamp: string): IngestionWarningRow => ({
    team_id: 7,
    source: 'consumer',
    type: 't',
    severity: 'info',
    category: 'c',
    count: 1,
    details: '{}',
    timestamp,
  });
  const rows = ['2026-05-04T10:00:00.123456Z', '1970-01-01T00:00:00.000000Z', '2026-06-04T10:00:00.123456Z'].map(
    warning,
  );
  const bodies = await encodeRows(ingestionWarnings, rows);
  const alone = await Promise.all(
    [[rows[0], rows[2]], [rows[1]]].map((some) => encodeRows(ingestionWarnings, some as IngestionWarningRow[])),
  );
  expect(bodies.map(({ window, body }) => [window, body.toString('hex')])).toEqual(
    alone.map(([one]) => [one?.window, one?.body.toString('hex')]),
  );
});

describe('a batch of rows that come one by one', () => {
  const rows = ['2026-05-04T10:00:00.123456Z', '1970-01-01T00:00:00.000000Z', '2026-06-04T10:00:00.123456Z'].map(
    (timestamp): IngestionWarningRow => ({
      team_id: 7,
      source: 'consumer',
      type: 't',
      severity: 'info',
      category: 'c',
      count: 1,
      details: '{}',
      timestamp,
    }),
  );
  const shown = (bodies: readonly EncodedRows[]) => bodies.map(({ window, body }) => [window, body.toString('hex')]);

  test('is the bytes of the same rows together, without those that do not fit', async () => {
    const batch = new RowBatch(ingestionWarnings);
    for (const row of rows) {
      batch.add(row);
      expect(() => batch.add({ ...row, details: 'written', timestamp: 'yesterday' })).toThrow(
        'analytics.ingestion_warnings: timestamp of row 0 is no time',
      );
      expect(() => batch.add({ ...row, count: -1 })).toThrow('count');
    }
    expect(shown(batch.bodies())).toEqual(shown(await encodeRows(ingestionWarnings, rows)));
  });

  test('has no row that was taken back, and all others', async () => {
    const batch = new RowBatch(ingestionWarnings);
    for (const row of rows) {
      batch.add(row);
      batch.add({ ...row, details: 'not after all', timestamp: '2026-05-05T10:00:00.000000Z' });
      batch.takeBack();
    }
    expect(shown(batch.bodies())).toEqual(shown(await encodeRows(ingestionWarnings, rows)));
  });

  test('has no more of what is stored: after a failure the rest is sent', () => {
    const batch = new RowBatch(ingestionWarnings);
    for (const row of rows) batch.add(row);
    const [first, second] = batch.bodies();
    first?.release();
    expect(shown(batch.bodies())).toEqual(shown([second as EncodedRows]));
  });
});
