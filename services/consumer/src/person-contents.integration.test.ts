import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createHarness, type Harness } from './test/harness.ts';
import { personThen } from './test/person-then.ts';

// The promise to whoever pays for the disk: a person of 600 KB does not make each of its tiny events as large.
let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
}, 60_000);
afterAll(() => harness?.close(), 30_000);

test('400 tiny events of a person of 600 KB write the properties once, not 400 times; each event shows those of its time', async () => {
  const distinctId = 'huge';
  const large = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`property ${at}`, 'x'.repeat(650)]));
  const set = (properties: object) =>
    harness.send([{ event: '$set', distinctId, properties: JSON.stringify({ $set: properties }) }]);
  const tiny = () =>
    harness.send(
      Array.from({ length: 400 }, () => ({ event: 'tiny', distinctId, properties: '{}' })),
      { perBundle: 200 },
    );
  await set({ ...large, plan: 'free' });
  await tiny();
  await set({ plan: 'pro' });
  await tiny();
  const child = harness.startChild();
  const found = () =>
    harness.rows(
      `SELECT ${personThen('plan')} AS plan, count() AS events, sum(length(person_properties_text)) AS beside, min(length(${personThen('property 899')})) AS least
     FROM analytics.events WHERE team_id = {team:Int64} AND event = 'tiny' GROUP BY plan ORDER BY plan`,
    );
  await eventually(
    async () =>
      expect(await found()).toEqual([
        { plan: 'free', events: 400, beside: 800, least: 650 },
        { plan: 'pro', events: 400, beside: 800, least: 650 },
      ]),
    { deadlineMs: 30_000 },
  );
  const [contents] = await harness.rows<{ ids: number; bytes: number }>(
    'SELECT uniqExact(id) AS ids, sum(length(properties_text)) AS bytes FROM analytics.person_contents WHERE team_id = {team:Int64}',
  );
  expect(contents?.ids).toBe(2);
  expect(contents?.bytes).toBeLessThan(6_000_000);
  child.process.kill('SIGTERM');
  expect(await child.exited).toBe(0);
}, 60_000);
