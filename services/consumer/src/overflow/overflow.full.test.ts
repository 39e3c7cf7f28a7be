import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createHarness, type Harness, type TestEvent } from '../test/harness.ts';
import { personThen } from '../test/person-then.ts';
import type { Failpoint } from '../stream/batch.ts';

let harness: Harness;
let round = 0;

/** 900 properties of 700 characters each: nearly as much as a person may have. */
const large = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`property ${at}`, 'x'.repeat(690)]));
const small = (distinctId: string, n: number): TestEvent => ({
  event: 'small',
  distinctId,
  properties: `{"$set":{"n":${n}}}`,
});
/** Events that go to overflow: they write 480 MB. */
const count = 400;
const places: readonly Failpoint[] = ['pending-committed', 'events-moved', 'persons-applied', 'rows-inserted'];
const share = { bytesRate: 1_000_000, bytesBurst: 8_000_000 };
const changes = { projectShare: share };

/** Rows of a person's small events: how many there are, of how many events, and whether each shows the person as it was then. */
async function storedOf(distinctId: string): Promise<{ rows: number; uuids: number; right: number; last: string }> {
  const found = await harness.rows<{ rows: string; uuids: string; right: string }>(
    `SELECT count() AS rows, uniqExact(uuid) AS uuids,
       countIf(${personThen('n')} = JSONExtractRaw(properties['$set'], 'n') AND length(${personThen('property 899')}) = 690) AS right
     FROM analytics.events WHERE team_id = {team:Int64} AND event = 'small' AND distinct_id = '${distinctId}'`,
  );
  const persons = await harness.sql.query<{ n: string }>(
    `SELECT p.properties ->> 'n' AS n FROM persons p JOIN person_distinct_ids m ON m.person_id = p.id WHERE m.distinct_id = $1`,
    [distinctId],
  );
  const [row] = found;
  return {
    rows: Number(row?.rows),
    uuids: Number(row?.uuids),
    right: Number(row?.right),
    last: persons.rows[0]?.n ?? '',
  };
}

async function isLarge(distinctId: string): Promise<void> {
  await harness.send([{ event: '$set', distinctId, properties: JSON.stringify({ $set: large }) }]);
}

async function expectAll(distinctId: string, count: number): Promise<void> {
  const all = { rows: count, uuids: count, right: count, last: String(count - 1) };
  await eventually(async () => expect(await storedOf(distinctId)).toEqual(all), {
    deadlineMs: 60_000,
    intervalMs: 200,
  });
}

async function recordsInOverflow(): Promise<number> {
  let records = 0;
  const subscription = await harness.log.subscribe({
    group: `test-${randomUUID()}`,
    lanes: ['overflow'],
    onStream: async (stream) => void (records += (await stream.read(0n, { maxBytes: 100_000_000, waitMs: 0 })).length),
  });
  await subscription.close();
  return records;
}

beforeAll(async () => {
  harness = await createHarness();
  // A project that is alone has the main lane for itself.
  const organization = randomUUID();
  await harness.sql.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [organization, 'neighbour']);
  await harness.sql.query(
    'INSERT INTO projects (id, uuid, organization_id, name, api_token) VALUES ($1, $2, $3, $4, $5)',
    [harness.teamId + 1, randomUUID(), organization, 'neighbour', `phc_${randomUUID()}`],
  );
}, 60_000);

afterAll(() => harness.close(), 30_000);

describe('tiny events that each change a person of 600 KB', () => {
  test('go to overflow when the share is used up; all are stored once, each with the person as it was then', async () => {
    const distinctId = 'huge';
    await isLarge(distinctId);
    const before = await recordsInOverflow();
    await harness.send(
      Array.from({ length: count }, (_, n) => small(distinctId, n)),
      { perBundle: 50 },
    );
    const child = harness.startChild(undefined, changes);
    await expectAll(distinctId, count);
    expect(await recordsInOverflow()).toBeGreaterThan(before);
    expect(await harness.deadLetters()).toEqual([]);
    child.process.kill('SIGTERM');
    expect([await child.exited, child.output()]).toEqual([0, '']);
  }, 120_000);

  test.each(places)(
    'a consumer that dies at %s loses none of them, doubles none and changes their person once',
    async (place) => {
      const distinctId = `mortal-${round++}`;
      await isLarge(distinctId);
      const first = harness.startChild(undefined, changes);
      await eventually(
        async () => {
          const { rows } = await harness.sql.query('SELECT 1 FROM person_distinct_ids WHERE distinct_id = $1', [
            distinctId,
          ]);
          expect(rows).toHaveLength(1);
        },
        { deadlineMs: 30_000 },
      );
      first.process.kill('SIGTERM');
      await first.exited;
      await harness.send(
        Array.from({ length: 60 }, (_, n) => small(distinctId, n)),
        { perBundle: 60 },
      );
      const dying = harness.startChild({ place, times: 1 }, changes);
      expect(await dying.exited).toBe('SIGKILL');
      const next = harness.startChild(undefined, changes);
      await expectAll(distinctId, 60);
      next.process.kill('SIGTERM');
      expect([await next.exited, next.output()]).toEqual([0, '']);
    },
    120_000,
  );
});
