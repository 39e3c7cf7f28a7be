import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import { bundleEventsMax } from '@millrace/contracts/limits.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createHarness, type Harness, type TestEvent } from './test/harness.ts';
import { personThen } from './test/person-then.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness();
  for (let at = 0; at < 2 * bundleEventsMax; at += 50) await addPersons(at, at + 49);
}, 120_000);

afterAll(() => harness.close(), 30_000);

/** 4,900 properties of 110 characters each: nearly as many, and as much, as a person may have. */
async function addPersons(from: number, to: number): Promise<void> {
  await harness.sql.query(
    `WITH made AS (
       INSERT INTO persons (team_id, uuid, properties, properties_size, created_at)
       SELECT $1, gen_random_uuid(), each.properties || jsonb_build_object('n', n), 655000, '2026-05-04T09:00:00Z'
       FROM generate_series($2::int, $3::int) AS n
       CROSS JOIN (SELECT jsonb_object_agg('property ' || at, left(repeat(md5(at::text), 4), 110)) AS properties FROM generate_series(1, 4900) AS at) AS each
       RETURNING id, properties
     ) INSERT INTO person_distinct_ids (team_id, distinct_id, person_id) SELECT $1, 'large-' || (properties ->> 'n'), id FROM made`,
    [harness.teamId, from, to],
  );
}

const changing = (at: number): TestEvent => ({
  event: 'changes',
  distinctId: `large-${at}`,
  properties: '{"$set":{"property 1":"pro"}}',
});
const merging = (at: number): TestEvent => ({
  event: '$merge_dangerously',
  distinctId: `large-${at}`,
  properties: JSON.stringify({ alias: `large-${at + bundleEventsMax}` }),
});

// A batch is divided by records. What a single one touches comes into memory, however large the persons are (docs/operations.md).
test.each([
  ['changes a person', 'changes', changing, 0],
  ['merges two', '$merge_dangerously', merging, bundleEventsMax],
])(
  'one record of which each event %s, all of them as large as persons may be, is stored, and nothing of it is a dead letter',
  async (_, event, eventOf, mergedAway) => {
    const entries = Array.from({ length: bundleEventsMax }, (__, at) => harness.entry(eventOf(at)));
    await harness.log.append('main', [{ partition: 0, payload: encodeBundle(entries) }]);
    const child = harness.startChild();
    const stored = `SELECT count() AS rows, uniqExact(uuid) AS uuids, uniqExact(person_id) AS persons,
    countIf(${personThen('property 1')} = 'pro' AND length(${personThen('property 900')}) = 110) AS right
    FROM analytics.events WHERE team_id = {team:Int64} AND event = '${event}'`;
    const all = bundleEventsMax;
    await eventually(
      async () => expect(await harness.rows(stored)).toEqual([{ rows: all, uuids: all, persons: all, right: all }]),
      { deadlineMs: 90_000 },
    );
    const left = await harness.sql.query('SELECT count(*)::int AS persons FROM persons WHERE team_id = $1', [
      harness.teamId,
    ]);
    expect(left.rows).toEqual([{ persons: 2 * all - mergedAway }]);
    expect(await harness.deadLetters()).toEqual([]);
    expect(mostMemoryMb(child.process.pid)).toBeLessThan(3_000);
    child.process.kill('SIGTERM');
    expect(await child.exited).toBe(0);
  },
  120_000,
);

/** Most memory that a process has had, in MB. */
function mostMemoryMb(pid = 0): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}
