import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createApp } from '../app.ts';
import { createLateScene, type LateScene } from '../test/late-scene.ts';

// contract/decisions 109: with real engines, from an upload that came late to the rows of events.

let scene: LateScene;
beforeAll(async () => void (scene = await createLateScene()), 60_000);
afterAll(() => scene?.close(), 30_000);

let app: ReturnType<typeof createApp> | null = null;
let chunk: string;
beforeEach(() => void (chunk = randomUUID()));
afterEach(async () => {
  await app?.stop();
  app = null;
  for (const table of ['late_maps', 'late_map_passes']) await scene.sql.query(`DELETE FROM ${table}`);
});

async function start(deps: Parameters<typeof createApp>[1] = {}): Promise<void> {
  app = createApp(scene.config, { lateMaps: { checkEveryMs: 50 }, ...deps });
  await app.start();
}

describe('a map that comes after its exceptions', () => {
  test('resolves them: frames, derived properties, fingerprint, issue, and the records of frames', async () => {
    await start();
    const own = { $exception_fingerprint: 'of the client', plan: 'pro' };
    const [first, second] = [await scene.send(chunk), await scene.send(chunk, own)];
    const before = await scene.stored(first);
    await scene.stored(second);
    expect(scene.crashOf(before)).toMatchObject({ resolved: false });
    const setId = await scene.makeSet(chunk);
    await scene.due(chunk);
    const after = await scene.resolved(first);
    expect(scene.crashOf(after)).toMatchObject({ resolved: true, resolved_name: scene.functionName });
    expect(after.$exception_functions).toContain(scene.functionName);
    expect(after.$exception_fingerprint).not.toBe(before.$exception_fingerprint);
    expect(after.$exception_issue_id).not.toBe(before.$exception_issue_id);
    expect(await scene.resolved(second)).toMatchObject({
      ...own,
      $exception_fingerprint: 'of the client',
    });
    // The map says the same as the text.
    expect(
      await scene.rows(`SELECT properties['$exception_fingerprint'] AS fingerprint, properties['$exception_issue_id'] AS issue, properties['$lib'] AS lib,
        properties['$exception_functions'] AS functions FROM analytics.events WHERE team_id = {team:Int64} AND uuid = '${first}'`),
    ).toEqual([
      {
        fingerprint: after.$exception_fingerprint,
        issue: after.$exception_issue_id,
        lib: 'web',
        functions: JSON.stringify(after.$exception_functions),
      },
    ]);
    expect(
      await scene.query(
        `SELECT bool_and(resolved) AS resolved, min(symbol_set_id::text) AS set FROM stack_frames WHERE project_id = $1 AND symbol_set_ref = '${chunk}'`,
      ),
    ).toEqual([{ resolved: true, set: setId }]);
    await scene.idle();
  }, 60_000);

  test('new fingerprints have issues; an event of a suppressed one stays', async () => {
    await start();
    const pair = [await scene.send(chunk), await scene.send(chunk, { $exception_fingerprint: `hidden ${chunk}` })];
    const before = await Promise.all(pair.map(scene.stored));
    await scene.sql.query(`UPDATE error_tracking_issues SET status = 'suppressed' WHERE id = $1`, [
      before[1]?.$exception_issue_id,
    ]);
    await scene.makeSet(chunk);
    await scene.due(chunk);
    const [first, second] = await Promise.all(pair.map(scene.resolved));
    expect(second?.$exception_issue_id).toBe(before[1]?.$exception_issue_id);
    expect(
      await scene.query(
        `SELECT status FROM error_tracking_issues WHERE project_id = $1 AND id = '${first?.$exception_issue_id}'`,
      ),
    ).toEqual([{ status: 'active' }]);
  }, 60_000);

  test('is no news: issues that are made anew are not alerted to', async () => {
    await start();
    await scene.sql.query(
      `INSERT INTO error_tracking_alert_settings (project_id, webhook_url) VALUES ($1, 'https://example.com')`,
      [scene.teamId],
    );
    const alerted = `SELECT issues->0->>'id' AS id FROM error_tracking_alert_deliveries WHERE project_id = $1`;
    await scene.sql.query('DELETE FROM error_tracking_issues');
    const uuid = await scene.send(chunk);
    const before = await scene.stored(uuid);
    await scene.makeSet(chunk);
    await scene.due(chunk);
    const after = await scene.resolved(uuid);
    expect(after.$exception_issue_id).not.toBe(before.$exception_issue_id);
    expect(await scene.query(alerted)).toEqual([{ id: before.$exception_issue_id }]);
    await scene.sql.query('DELETE FROM error_tracking_alert_settings');
  }, 60_000);

  test('no query ever sees an event twice, half, or not at all', async () => {
    await start({ lateMaps: { checkEveryMs: 50, pageMax: 10 } });
    const uuids = await Promise.all(Array.from({ length: 60 }, () => scene.send(chunk)));
    for (const uuid of uuids) await scene.stored(uuid);
    await scene.makeSet(chunk);
    await scene.due(chunk);
    const list = uuids.map((uuid) => `'${uuid}'`).join(', ');
    let looks = 0;
    for (let resolved = 0; resolved < uuids.length; looks++) {
      const [row] = await scene.rows<Record<string, number>>(`SELECT count() AS events, uniqExact(uuid) AS uuids,
        countIf(position(properties_text, properties['$exception_fingerprint'] AS fingerprint) > 0) AS whole,
        countIf(position(properties_text, properties['$exception_issue_id']) > 0) AS linked, countIf(position(properties_text, '"resolve_failure"') = 0) AS resolved
        FROM analytics.events WHERE team_id = {team:Int64} AND uuid IN (${list})`);
      resolved = Number(row?.['resolved']);
      expect({ ...row, resolved: '' }).toEqual({ events: 60, uuids: 60, whole: 60, linked: 60, resolved: '' });
    }
    expect(looks).toBeGreaterThan(2);
  }, 60_000);

  test('resolves them also when a later exception has resolved the records of their frames', async () => {
    await start();
    const first = await scene.send(chunk);
    await scene.stored(first);
    await scene.makeSet(chunk);
    await scene.eventually(async () =>
      expect(scene.crashOf(await scene.stored(await scene.send(chunk)))).toMatchObject({ resolved: true }),
    );
    expect(scene.crashOf(await scene.stored(first))).toMatchObject({ resolved: false });
    await scene.due(chunk);
    await scene.resolved(first);
  }, 60_000);

  test('which is finished again meanwhile has another pass', async () => {
    let again = false;
    await start({
      lateMaps: {
        checkEveryMs: 50,
        failpoint: async (point) => {
          if (point !== 'events-written' || again) return;
          again = true;
          await scene.due(chunk);
          expect(await scene.query(`SELECT ref FROM late_maps WHERE project_id = $1`)).toEqual([{ ref: chunk }]);
        },
      },
    });
    const uuid = await scene.send(chunk);
    await scene.stored(uuid);
    await scene.makeSet(chunk);
    await scene.due(chunk);
    await scene.resolved(uuid);
    await scene.idle();
    expect(again).toBe(true);
  }, 60_000);
});

test('a set that was late for a batch is noted, and its exceptions are resolved when it can be read', async () => {
  const setId = await scene.makeSet(chunk);
  await start({ storage: scene.away() });
  const uuid = await scene.send(chunk);
  expect(scene.crashOf(await scene.stored(uuid))).toMatchObject({ resolve_failure: 'symbols were not read in time' });
  expect(
    await scene.query(
      `SELECT ref, due_at > now() + interval '4 minutes' AS waits FROM late_maps WHERE project_id = $1`,
    ),
  ).toEqual([{ ref: chunk, waits: true }]);
  await app?.stop();
  await start();
  await scene.due(chunk);
  expect(scene.crashOf(await scene.resolved(uuid))).toMatchObject({ resolved_name: scene.functionName });
  expect(setId).not.toBe('');
}, 60_000);

test('while the storage is away the pass waits, and other projects have their turn', async () => {
  const uuid = await (async () => {
    await start();
    const sent = await scene.send(chunk);
    await scene.stored(sent);
    await app?.stop();
    return sent;
  })();
  await scene.makeSet(chunk);
  await start({ storage: scene.away(), lateMaps: { checkEveryMs: 50 } });
  await scene.due(chunk);
  await scene.eventually(async () =>
    expect(
      await scene.query('SELECT tries, turn_at > now() AS waits FROM late_map_passes WHERE project_id = $1'),
    ).toEqual([{ tries: 1, waits: true }]),
  );
  expect(scene.crashOf(await scene.stored(uuid))).toMatchObject({ resolved: false });
  await app?.stop();
  await scene.sql.query('UPDATE late_map_passes SET turn_at = now()');
  await start();
  await scene.resolved(uuid);
}, 60_000);

test.each<[string, { days: number; tries: number; isTried: boolean }]>([
  ['old, and was tried often without progress, is given up', { days: 4, tries: 11, isTried: false }],
  ['old is tried', { days: 4, tries: 10, isTried: true }],
  ['tried often is tried again while it is young', { days: 2, tries: 11, isTried: true }],
])(
  'a pass that is %s; nothing of it stays behind',
  async (_, { days, tries, isTried }) => {
    await start();
    const uuid = await scene.send(chunk, {}, new Date(Date.now() - (days + 1) * 86_400_000));
    await scene.stored(uuid);
    await app?.stop();
    await scene.makeSet(chunk);
    await scene.sql.query(
      `INSERT INTO late_map_passes (project_id, id, frames, sets, tries, started_at) SELECT project_id, gen_random_uuid(),
      string_agg(decode(left(hash, 12), 'hex'), ''), 1, $2, now() - make_interval(days => $3) FROM stack_frames WHERE symbol_set_ref = $1 GROUP BY project_id`,
      [chunk, tries, days],
    );
    // As a process leaves it that dies in the middle of a page.
    await scene.storeRun(uuid);
    await start();
    await scene.idle();
    expect(scene.crashOf(await scene.stored(uuid))).toMatchObject({ resolved: isTried });
    expect(await scene.runs()).toBe(0);
  },
  60_000,
);

test('two consumers share the work, and never do it at the same time', async () => {
  let inside = 0;
  let most = 0;
  const failpoint = (point: string): void => {
    if (point === 'run-stored') most = Math.max(most, ++inside);
    if (point === 'events-written') inside--;
  };
  const deps = { lateMaps: { checkEveryMs: 20, pageMax: 2, failpoint } };
  const other = createApp(scene.config, deps);
  await Promise.all([start(deps), other.start()]);
  try {
    const uuids = await Promise.all(Array.from({ length: 20 }, () => scene.send(chunk)));
    for (const uuid of uuids) await scene.stored(uuid);
    await scene.makeSet(chunk);
    await scene.due(chunk);
    for (const uuid of uuids) await scene.resolved(uuid);
    await scene.idle();
    expect(most).toBe(1);
  } finally {
    await other.stop();
  }
}, 60_000);

test('an issue that is made anew was first seen with the oldest of its exceptions', async () => {
  await start({ lateMaps: { checkEveryMs: 50, pageMax: 1 } });
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
  const uuids = [
    await scene.send(chunk),
    await scene.send(chunk, {}, daysAgo(3)),
    await scene.send(chunk, {}, daysAgo(1)),
  ];
  for (const uuid of uuids) await scene.stored(uuid);
  // Other tests have made some.
  await scene.sql.query('DELETE FROM error_tracking_issues');
  await scene.makeSet(chunk);
  await scene.due(chunk);
  await scene.idle();
  const { $exception_issue_id: id, $exception_fingerprint: fingerprint } = await scene.resolved(uuids[1] ?? '');
  const age = `round(extract(epoch FROM now() - first_seen_at) / 86400)::int AS days`;
  expect(await scene.query(`SELECT ${age} FROM error_tracking_issues WHERE id = '${id}'`)).toEqual([{ days: 3 }]);
  expect(
    await scene.query(`SELECT ${age} FROM error_tracking_fingerprints WHERE fingerprint = '${fingerprint}'`),
  ).toEqual([{ days: 3 }]);
}, 60_000);

test('of more exceptions than a pass takes the newest are resolved', async () => {
  await start({ lateMaps: { checkEveryMs: 50, foundMax: 2, pageMax: 1 } });
  // All of one day, also at midnight.
  const noon = Date.now() - (Date.now() % 86_400_000) - 43_200_000;
  const uuids = await Promise.all([3, 1, 4, 2].map((second) => scene.send(chunk, {}, new Date(noon + second * 1000))));
  for (const uuid of uuids) await scene.stored(uuid);
  await scene.makeSet(chunk);
  await scene.due(chunk);
  await scene.idle();
  const events = await Promise.all(uuids.map(scene.stored));
  expect(events.map((event) => scene.crashOf(event)?.['resolved'])).toEqual([true, false, true, false]);
}, 60_000);

test('exceptions of before the seven days, and of other frames, stay as they are', async () => {
  await start();
  const old = await scene.send(chunk, {}, new Date(Date.now() - 8 * 86_400_000));
  const other = await scene.send(randomUUID());
  const own = await scene.send(chunk);
  const before = await Promise.all([old, other].map(scene.stored));
  await scene.stored(own);
  await scene.makeSet(chunk);
  await scene.due(chunk);
  await scene.resolved(own);
  await scene.idle();
  expect(await Promise.all([old, other].map(scene.stored))).toEqual(before);
}, 60_000);
