import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { ChildOrder } from './test/consumer-child.ts';
import { createHarness, type Harness } from './test/harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness({ EVENT_LOG_PARTITIONS: '8' });
}, 60_000);

afterAll(() => harness.close(), 30_000);

type Failpoint = NonNullable<ChildOrder['dieAt']>['place'];

const persons = 60;
let sent = 0;
let round = 0;

/** Events of sixty persons, each of whom says which round it is. */
function roundOfEvents(count: number) {
  round++;
  return Array.from({ length: count }, (_, index) => ({
    distinctId: `person-${index % persons}`,
    timestamp: new Date(Date.UTC(2026, index % 7, 4, 10)).toISOString().replace('Z', '000Z'),
    properties: JSON.stringify({ round, index, $set: { round } }),
  }));
}

async function send(count: number): Promise<void> {
  await harness.send(roundOfEvents(count), { perBundle: 7 });
  sent += count;
}

async function roundsInClickhouse(): Promise<string[]> {
  const rows = await harness.rows<{ round: string }>(
    "SELECT properties['round'] AS round FROM analytics.persons FINAL WHERE team_id = {team:Int64}",
  );
  return rows.map((row) => row.round);
}

/** A consumer that is not killed takes what is left. */
async function expectAllOnce(): Promise<void> {
  const child = harness.startChild();
  await eventually(
    async () => {
      expect(await harness.counts()).toEqual({ rows: sent, uuids: sent });
      expect(await roundsInClickhouse()).toEqual(Array.from({ length: persons }, () => String(round)));
    },
    { deadlineMs: 30_000, intervalMs: 100 },
  );
  child.process.kill('SIGTERM');
  expect([await child.exited, child.output()]).toEqual([0, '']);
}

describe('kill -9 of the consumer loses nothing and doubles nothing (performance C2 1)', () => {
  test.each<[Failpoint, number]>([
    ['pending-committed', 1],
    ['persons-applied', 1],
    ['persons-applied', 4],
    ['rows-inserted', 1],
    ['rows-inserted', 5],
  ])(
    'at %s, passing %i',
    async (place, times) => {
      await send(700);
      const child = harness.startChild({ place, times });
      expect(await child.exited).toBe('SIGKILL');
      await expectAllOnce();
    },
    60_000,
  );

  test('again and again at random, while events come', async () => {
    for (let kill = 0; kill < 8; kill++) {
      const { rows } = await harness.counts();
      await send(300);
      const child = harness.startChild();
      const sending = send(300);
      const enough = rows + Math.random() * 500;
      await eventually(async () => expect((await harness.counts()).rows).toBeGreaterThan(enough), {
        deadlineMs: 20_000,
        intervalMs: 5,
      });
      child.process.kill('SIGKILL');
      await Promise.all([child.exited, sending]);
    }
    await expectAllOnce();
  }, 120_000);

  test.each<Failpoint>(['pending-committed', 'persons-applied', 'rows-inserted'])(
    'at %s, while the type of a property is open: a text that was met counts (contract/decisions 74)',
    async (place) => {
      const name = `price_${place}`;
      const sendValues = async (values: readonly unknown[]): Promise<void> => {
        await harness.send(
          values.map((value) => ({ distinctId: 'person-1', properties: JSON.stringify({ [name]: value }) })),
        );
        sent += values.length;
      };
      await send(persons);
      await sendValues([1, 2, 'none', 4]);
      const child = harness.startChild({ place, times: 1 });
      expect(await child.exited).toBe('SIGKILL');
      await sendValues(Array.from({ length: 40 }, (_, index) => index));
      await expectAllOnce();
      const { rows } = await harness.sql.query<{ property_type: string; numbers: string; texts: string }>(
        'SELECT property_type, numbers, texts FROM property_definitions WHERE project_id = $1 AND name = $2',
        [harness.teamId, name],
      );
      expect(rows).toMatchObject([{ property_type: 'String' }]);
      // A batch that is done again is counted again.
      expect(Number(rows[0]?.texts)).toBeGreaterThanOrEqual(1);
      expect(Number(rows[0]?.numbers)).toBeGreaterThanOrEqual(19);
    },
    60_000,
  );

  test('what was sent twice is there once, although a restart lies between', async () => {
    const twice = { uuid: '0190f3a0-0000-7000-8000-0000000000ff', distinctId: 'person-1', properties: '{}' };
    await harness.send([twice]);
    sent++;
    await expectAllOnce();
    // The second event is how we see that the first was read again.
    await harness.send([twice, { distinctId: 'person-1' }]);
    sent++;
    await expectAllOnce();
  }, 60_000);
});
