import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createPool } from '@millrace/postgres/pool.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { counted, type Database } from '../../database.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { createHitCounts, type Hit } from './hit-counts.ts';

// contract/orgs-errors 5.2: what a rule dropped is counted once, whatever becomes of the batch.

let harness: Harness;
let pool: ReturnType<typeof createPool>;
let db: Database;
beforeAll(async () => {
  harness = await createHarness();
  pool = createPool(harness.config.postgres.url, {
    applicationName: 'hits of a test',
    max: 2,
    statementTimeoutMs: 10_000,
    onError: (error) => {
      throw error;
    },
  });
  db = counted(pool, { inc: () => undefined });
}, 60_000);
afterAll(async () => {
  await pool?.end();
  await harness?.close();
}, 30_000);

let [ruleId, stream] = ['', ''];
beforeEach(async () => {
  [ruleId, stream] = [randomUUID(), randomUUID()];
  await harness.sql.query('INSERT INTO suppression_rules (id, project_id, filters) VALUES ($1, $2, $3)', [
    ruleId,
    harness.teamId,
    { type: 'AND', values: [] },
  ]);
});

const hit = (offset: number, id = ruleId): Hit => ({
  draft: { position: { offset: BigInt(offset) }, head: { receivedAt: '2026-05-04T12:00:00Z' } } as Hit['draft'],
  ruleId: id,
});
const dropped = async (): Promise<unknown> =>
  (await harness.sql.query('SELECT dropped::int FROM suppression_rule_hits WHERE rule_id = $1', [ruleId])).rows[0];

test('a batch that is done again counts what it did not count before, be it whole, a part, or more', async () => {
  const counts = createHitCounts(db);
  await counts.add([hit(1), hit(2)], { stream, last: 5n });
  await counts.add([hit(1), hit(2)], { stream, last: 5n });
  await counts.add([hit(1)], { stream, last: 1n });
  await counts.add([hit(2), hit(6), hit(6)], { stream, last: 8n });
  expect(await dropped()).toEqual({ dropped: 4 });
});

test('a rule that was deleted meanwhile holds up no others', async () => {
  await createHitCounts(db).add([hit(1), hit(1, randomUUID())], { stream, last: 1n });
  expect(await dropped()).toEqual({ dropped: 1 });
});

test('a former owner of a stream that counts its first hits at the same time counts them for both', async () => {
  const former = await harness.sql.connect();
  await former.query('BEGIN');
  await former.query('INSERT INTO suppression_progress (stream, last_offset) VALUES ($1, 5)', [stream]);
  const added = createHitCounts(db).add([hit(1), hit(5), hit(6)], { stream, last: 6n });
  await eventually(async () => {
    const { rowCount } = await harness.sql.query(
      `SELECT FROM pg_stat_activity WHERE application_name = 'hits of a test' AND wait_event_type = 'Lock'`,
    );
    expect(rowCount).toBe(1);
  });
  await former.query('COMMIT');
  former.release();
  await added;
  expect(await dropped()).toEqual({ dropped: 1 });
});
