import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { counted } from '../database.ts';
import { createHarness, type Harness } from '../test/harness.ts';
import { createPassStore, type Pass, type PassStore } from './pass-store.ts';

let harness: Harness;
let store: PassStore;
const projects: number[] = [];
beforeAll(async () => {
  harness = await createHarness();
  store = createPassStore(counted(harness.sql, { inc: () => undefined }));
  projects.push(harness.teamId, randomTeamId());
  await harness.sql.query(
    `INSERT INTO projects (id, uuid, organization_id, name, api_token)
      SELECT $2, gen_random_uuid(), organization_id, 'other', $3 FROM projects WHERE id = $1`,
    [...projects, `phc_${randomUUID()}`],
  );
}, 60_000);
afterAll(() => harness?.close(), 30_000);
afterEach(async () => {
  for (const table of ['late_maps', 'late_map_passes', 'stack_frames']) await harness.sql.query(`DELETE FROM ${table}`);
});

/** Stores so many frames of a ref. */
const addFrames = (projectId: number, ref: string, count: number) =>
  harness.sql.query(
    `INSERT INTO stack_frames (id, project_id, hash, contents, resolved, symbol_set_ref)
      SELECT gen_random_uuid(), $1, encode(sha512((random()::text || n)::bytea), 'hex'), '{"junk_drawer": {"raw_frame": {"lineno": 12345678901234567890}}}', n % 2 = 0, $2
      FROM generate_series(1, $3) n`,
    [projectId, ref, count],
  );

const note = (projectId: number, ref: string, seconds = 0) =>
  harness.sql.query('SELECT note_late_maps($1, $2)', [JSON.stringify([{ project_id: projectId, ref }]), seconds]);

test('due sets of a project share a pass, with their frames whether resolved or not; those without a frame need none', async () => {
  const [first = 0, second = 0] = projects;
  await Promise.all([
    addFrames(first, 'a', 3),
    addFrames(first, 'b', 2),
    addFrames(first, 'c', 1),
    addFrames(second, 'a', 1),
  ]);
  for (const ref of ['a', 'b', 'none']) await note(first, ref);
  await note(first, 'c', 60);
  await note(second, 'none');
  expect(await store.count()).toEqual({ sets: 5, passes: 0, isDue: true });
  await store.begin();
  const pass = (await store.next()) as Pass;
  expect({ ...pass, frames: pass.frames.length }).toMatchObject({
    projectId: first,
    frames: 6 * 5,
    sets: 2,
    found: 0,
    day: null,
  });
  expect(await store.count()).toEqual({ sets: 1, passes: 1, isDue: true });
});

test('projects take turns; one that is postponed waits', async () => {
  const [first = 0, second = 0] = projects;
  for (const project of projects) {
    await addFrames(project, 'a', 1);
    await note(project, 'a');
  }
  await store.begin();
  const one = (await store.next()) as Pass;
  await store.advance(one, { day: '2026-11-20', oldest: 'x', after: ['1', '2'], found: 7 });
  const other = (await store.next()) as Pass;
  expect([one.projectId, other.projectId].toSorted()).toEqual([first, second].toSorted());
  await store.postpone(other, 60);
  expect(await store.next()).toMatchObject({ id: one.id, day: '2026-11-20', oldest: 'x', after: ['1', '2'], found: 7 });
  await store.end(one);
  expect([await store.next(), await store.count()]).toEqual([null, { sets: 0, passes: 1, isDue: false }]);
});

test('a turn is a try until something is noted as done; the second one in a row waits if it is the last that is heard of it', async () => {
  const [project = 0] = projects;
  await addFrames(project, 'a', 1);
  await note(project, 'a');
  await store.begin();
  const waits = async (): Promise<number> =>
    (
      await harness.sql.query<{ seconds: number }>(
        'SELECT greatest(round(extract(epoch FROM turn_at - now())), 0)::int AS seconds FROM late_map_passes',
      )
    ).rows[0]?.seconds ?? NaN;
  const pass = (await store.next()) as Pass;
  expect([pass.tries, await waits()]).toEqual([0, 0]);
  expect([(await store.next())?.tries, await waits()]).toEqual([1, 20]);
  await harness.sql.query('UPDATE late_map_passes SET turn_at = now(), tries = 2000');
  expect([(await store.next())?.tries, await waits()]).toEqual([2000, 600]);
  await store.advance(pass, pass);
  expect(await store.next()).toMatchObject({ tries: 0 });
  await store.advance(pass, pass);
  await store.postpone(pass, 0);
  expect(await store.next()).toMatchObject({ tries: 1 });
});

test('a set that is noted while its pass is under way has another one after it', async () => {
  const [project = 0] = projects;
  await addFrames(project, 'a', 1);
  await note(project, 'a');
  await store.begin();
  const pass = (await store.next()) as Pass;
  await note(project, 'a');
  await store.begin();
  expect(await store.count()).toMatchObject({ sets: 1, passes: 1 });
  await store.end(pass);
  await store.begin();
  expect((await store.next())?.id).not.toBe(pass.id);
});

test('a pass has 10,000 frames at most, of whole sets as far as there are several', async () => {
  const [project = 0] = projects;
  await addFrames(project, 'large', 10_500);
  await note(project, 'large');
  await store.begin();
  const pass = (await store.next()) as Pass;
  expect(pass.frames).toHaveLength(6 * 10_000);
  await store.end(pass);
  await addFrames(project, 'a', 10);
  await note(project, 'a');
  await note(project, 'large');
  await store.begin();
  expect(await store.next()).toMatchObject({ sets: 1, frames: { length: 60 } });
});

test('a set that is noted again waits again, an hour at most', async () => {
  const [project = 0] = projects;
  await note(project, 'a', 30);
  await note(project, 'a', 10);
  const wait = async () =>
    (
      await harness.sql.query<{ seconds: string }>(
        'SELECT round(extract(epoch FROM due_at - noted_at)) AS seconds FROM late_maps',
      )
    ).rows[0]?.seconds;
  expect(await wait()).toBe('30');
  await note(project, 'a', 86_400);
  expect(await wait()).toBe('3600');
});

test('frames as they were sent keep all digits', async () => {
  const [project = 0] = projects;
  await addFrames(project, 'a', 1);
  const { rows } = await harness.sql.query<{ hash: string }>('SELECT hash FROM stack_frames');
  const found = await store.rawFrames(project, [rows[0]?.hash ?? '', 'other']);
  expect([...found.keys()]).toEqual([rows[0]?.hash]);
  expect(JSON.stringify([...found.values()])).toContain('12345678901234567890');
});

test('of frames that are larger than a page may load the smaller ones are read', async () => {
  const [project = 0] = projects;
  const sizes = [8, 1, 6, 4, 2].map((megabytes) => megabytes * 1_000_000);
  await harness.sql.query(
    `INSERT INTO stack_frames (id, project_id, hash, contents, resolved, symbol_set_ref)
      SELECT gen_random_uuid(), $1, size::text, json_build_object('junk_drawer', json_build_object('raw_frame', json_build_object('function', repeat('x', size)))), false, 'a'
      FROM unnest($2::int[]) size`,
    [project, sizes],
  );
  const found = await store.rawFrames(project, sizes.map(String));
  expect([...found.keys()].toSorted()).toEqual(['1000000', '2000000', '4000000', '6000000']);
});
