import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { issueIdParts } from '@millrace/contracts/issues.ts';
import { uuidV5 } from '@millrace/runtime/ids.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createApp } from '../../app.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

// contract/decisions 112, 120: with real engines, from the log to the row.

let harness: Harness;
let app: ReturnType<typeof createApp>;
beforeAll(async () => {
  harness = await createHarness();
  app = createApp(harness.config);
  await app.start();
}, 60_000);
afterAll(async () => {
  await app?.stop();
  await harness?.close();
}, 30_000);

async function send(properties: object): Promise<string> {
  const receivedAt = new Date().toISOString().replace('Z', '000Z');
  const event = { event: '$exception', receivedAt, properties: JSON.stringify(properties) };
  const [uuid] = await harness.send([event], { lane: 'exceptions' });
  return uuid as string;
}
const thrown = (fingerprint: string): Promise<string> =>
  send({ $exception_fingerprint: fingerprint, $exception_list: [{ type: 'TypeError', value: 'x is undefined' }] });

async function stored(uuid: string): Promise<Record<string, unknown>> {
  let found: { properties: string }[] = [];
  await eventually(
    async () => {
      found = await harness.rows(
        `SELECT properties_text AS properties FROM analytics.events WHERE team_id = {team:Int64} AND uuid = '${uuid}'`,
      );
      expect(found).toHaveLength(1);
    },
    { deadlineMs: 30_000 },
  );
  return JSON.parse(found[0]?.properties ?? '') as Record<string, unknown>;
}
const issueOf = async (uuid: string): Promise<unknown> => (await stored(uuid))['$exception_issue_id'];
const issues = async (): Promise<unknown[]> =>
  (
    await harness.sql.query<Record<string, unknown>>(
      'SELECT id, name, description, status FROM error_tracking_issues WHERE project_id = $1 ORDER BY created_at, id',
      [harness.teamId],
    )
  ).rows;
const change = (text: string, ...values: unknown[]) => harness.sql.query(text, values);

test('an exception makes its issue and names it; the next one has the same', async () => {
  const fingerprint = randomUUID();
  const [first, second] = [await issueOf(await thrown(fingerprint)), await issueOf(await thrown(fingerprint))];
  const id = uuidV5(...issueIdParts(harness.teamId, fingerprint));
  expect([first, second]).toEqual([id, id]);
  expect(await issues()).toEqual([{ id, name: 'TypeError', description: 'x is undefined', status: 'active' }]);
});

test('a list that cannot be read has no issue, whatever fingerprint it brings', async () => {
  const before = (await issues()).length;
  const uuid = await send({ $exception_fingerprint: 'f', $exception_list: 'none', $exception_issue_id: 'claimed' });
  expect(await stored(uuid)).not.toHaveProperty('$exception_issue_id');
  expect((await issues()).length).toBe(before);
});

test('a resolved issue that is seen again is active again, within seconds', async () => {
  const fingerprint = randomUUID();
  const id = await issueOf(await thrown(fingerprint));
  await change(`UPDATE error_tracking_issues SET status = 'resolved', resolved_at = now() WHERE id = $1`, id);
  await eventually(
    async () => {
      await thrown(fingerprint);
      expect(await issues()).toContainEqual(expect.objectContaining({ id, status: 'active' }));
    },
    { deadlineMs: 5_000, intervalMs: 300 },
  );
});

test('a suppressed issue drops its events within seconds, and stores them again when it no longer is', async () => {
  const fingerprint = randomUUID();
  const id = await issueOf(await thrown(fingerprint));
  const isStored = async (): Promise<boolean> => {
    const uuid = await thrown(fingerprint);
    // It comes after the other: when it is stored, the other was decided.
    await stored(await thrown(randomUUID()));
    const rows = await harness.rows(
      `SELECT 1 AS one FROM analytics.events WHERE team_id = {team:Int64} AND uuid = '${uuid}'`,
    );
    return rows.length === 1;
  };
  await change(`UPDATE error_tracking_issues SET status = 'suppressed' WHERE id = $1`, id);
  await eventually(async () => expect(await isStored()).toBe(false), { deadlineMs: 5_000 });
  await change(`UPDATE error_tracking_issues SET status = 'active' WHERE id = $1`, id);
  await eventually(async () => expect(await isStored()).toBe(true), { deadlineMs: 5_000 });
});

test('a fingerprint that was merged has the issue that it was merged into', async () => {
  const [one, two] = [randomUUID(), randomUUID()];
  const [kept, merged] = [await issueOf(await thrown(one)), await issueOf(await thrown(two))];
  await change('UPDATE error_tracking_fingerprints SET issue_id = $1 WHERE issue_id = $2', kept, merged);
  await change('DELETE FROM error_tracking_issues WHERE id = $1', merged);
  await eventually(async () => expect(await issueOf(await thrown(two))).toBe(kept), { deadlineMs: 5_000 });
  expect(await issues()).not.toContainEqual(expect.objectContaining({ id: merged }));
});

test('fingerprints and messages of any characters make an issue each, and hold nothing up', async () => {
  const message = '\0\ud800"\\';
  const fingerprints = [
    '\0',
    'a\0b',
    '\ud800',
    '\udc00',
    '\u2028',
    '\\u0000',
    '\\',
    '"',
    ' ',
    '\n',
    '👍'.repeat(32),
    '\ufffd',
  ];
  const uuids: string[] = [];
  for (const fingerprint of fingerprints)
    uuids.push(
      await send({ $exception_fingerprint: fingerprint, $exception_list: [{ type: message, value: message }] }),
    );
  const named = new Set<unknown>();
  for (const uuid of uuids) named.add(await issueOf(uuid));
  const made = new Set((await issues()).map((issue) => (issue as { id: string }).id));
  expect([...named].filter((id) => !made.has(String(id)))).toEqual([]);
  // Characters that no text can have are stored as the same one.
  expect(named.size).toBeGreaterThanOrEqual(fingerprints.length - 4);
});
