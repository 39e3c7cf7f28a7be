import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mirroredTables } from '@millrace/contracts/tables/mirrored-tables.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import { makeIssue } from '../test/fixtures/issue-fixtures.ts';
import { openMirrorWorld, type MirrorWorld } from '../test/mirror-world.ts';
import { readPlan, type PlanRow } from '../test/plans.ts';
import type { Seed } from '../test/test-api.ts';
import { mirrorings, pageOf } from './mirrorings.ts';

// The promise: SQL shows reviews, scores and definitions as the API does.

let world: MirrorWorld;
let acme: Seed;
let project: ReturnType<MirrorWorld['of']>;
beforeAll(async () => {
  world = await openMirrorWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  acme = await world.api.seed('Acme');
  project = world.of(acme);
});

/** 3,000 reviews with a score each; resolves with the id of their definition. */
async function reviewMuch(seed: Seed): Promise<string> {
  const { id } = await world.of(seed).define('numeric', {});
  const { projectId } = seed;
  await world.api.prisma.$executeRaw`
    INSERT INTO trace_reviews (id, project_id, trace_id) SELECT gen_random_uuid(), ${projectId}, 't' || n FROM generate_series(1, 3000) n`;
  await world.api.prisma.$executeRaw`
    INSERT INTO trace_scores (id, review_id, definition_id, version_id, numeric_value)
    SELECT gen_random_uuid(), review.id, definition_id, version.id, 1 FROM trace_reviews review, score_definition_versions version
    WHERE project_id = ${projectId} AND definition_id = ${id}::uuid`;
  return id;
}

test('every mirrored table is read from Postgres, with just its columns', async () => {
  expect(mirrorings.map(({ table }) => table)).toEqual(mirroredTables);
  for (const { table, live } of mirrorings) {
    const { fields } = await world.pool.query(live, [[]]);
    const own = ['team_id', 'is_deleted', 'version'];
    expect(fields.map(({ name }) => name).sort()).toEqual(
      Object.keys(table.columns)
        .filter((column) => !own.includes(column))
        .sort(),
    );
  }
});

// A mirrored table without them would be old for ever, and nobody would know.
test('every mirrored table has its triggers: a row that is added, changed or deleted waits, and all of them with their project', async () => {
  const { id } = await project.define('boolean', {});
  await project.review('t', [{ definition_id: id, boolean_value: true }]);
  await makeIssue(world.api, acme);
  const { projectId } = acme;
  const owner = createPool(world.api.databaseUrl, { applicationName: 'owner', max: 1, onError: () => undefined });
  const waiting = async () =>
    (
      await owner.query<{ name: string; id: string | null }>(
        'SELECT table_name AS name, row_id AS id FROM unmirrored_rows WHERE project_id = $1',
        [projectId],
      )
    ).rows;
  const queuedBy = async (statement: string, value: unknown) => {
    await owner.query('BEGIN; DELETE FROM unmirrored_rows');
    await owner.query(statement, [value]);
    const queued = await waiting();
    await owner.query('ROLLBACK');
    return queued;
  };
  const added = await waiting();
  for (const { name } of mirroredTables) {
    const row = { name, id: added.find((line) => line.name === name)?.id };
    expect(row).toEqual({ name, id: expect.any(String) });
    expect(await queuedBy(`DELETE FROM ${name} WHERE id = $1`, row.id)).toContainEqual(row);
    // Scores are replaced, never updated.
    const updates = 'SELECT has_any_column_privilege($1, $2, $3) AS may';
    const { rows } = await owner.query<{ may: boolean }>(updates, [postgresRoles.management, name, 'UPDATE']);
    if (rows[0]?.may === true)
      expect(await queuedBy(`UPDATE ${name} SET id = id WHERE id = $1`, row.id)).toContainEqual(row);
  }
  for (const deletedAt of ['now()', 'NULL']) {
    const wholes = await queuedBy(`UPDATE projects SET deleted_at = ${deletedAt} WHERE id = $1`, projectId);
    expect([deletedAt, wholes.map(({ name }) => name).sort()]).toEqual([
      deletedAt,
      mirroredTables.map(({ name }) => name).sort(),
    ]);
    await owner.query(`UPDATE projects SET deleted_at = now() WHERE id = $1`, [projectId]);
  }
  await owner.end();
});

// A project's own are few among those of all: a page that went through all scores would end with the time of a statement, again and again.
test('all of one project is read by indexes', async () => {
  await project.review('t');
  const other = await world.api.seed('Other');
  await reviewMuch(other);
  const reads = async (statement: string, values: unknown[]) =>
    readPlan((await world.pool.query<PlanRow>(`EXPLAIN (FORMAT JSON) ${statement}`, values)).rows);
  for (const after of [null, crypto.randomUUID()])
    expect(await reads(pageOf('trace_reviews'), [after, acme.projectId, 200])).toEqual({
      sequential: [],
      indexes: ['trace_reviews_project_id_id_idx'],
    });
  const owned = mirrorings.find(({ table }) => table.name === 'trace_scores')?.owned ?? '';
  const ids = Array.from({ length: 20 }, () => crypto.randomUUID());
  expect(await reads(owned, [ids])).toEqual({
    sequential: [],
    indexes: ['trace_reviews_pkey', 'trace_scores_review_id_definition_id_key'],
  });
  await world.api.prisma.project.delete({ where: { id: other.projectId } });
});

// Once the planner went through all reviews for each few scores: 100 ms in place of 3.
test('scores are read by their ids, and reviews by theirs, also before Postgres has counted a new table', async () => {
  const id = await reviewMuch(acme);
  const scores = await world.api.prisma.traceScore.findMany({ where: { definitionId: id }, take: 200 });
  const live = mirrorings.find(({ table }) => table.name === 'trace_scores')?.live ?? '';
  const { rows } = await world.pool.query<PlanRow>(`EXPLAIN (FORMAT JSON) ${live}`, [scores.map((score) => score.id)]);
  const { indexes } = readPlan(rows);
  expect(indexes.filter((name) => name.startsWith('trace_')).sort()).toEqual([
    'trace_reviews_pkey',
    'trace_scores_pkey',
  ]);
  await world.api.prisma.project.delete({ where: { id: acme.projectId } });
});

describe('rows', () => {
  test('come with all their columns', async () => {
    const numeric = await project.define(
      'numeric',
      { max: 5, passing_rule: { operator: 'gte', threshold: 4 } },
      'Quality',
    );
    await project.send('patch', `score_definitions/${numeric.id}/`, { tags: ['b', 'a'], description: 'Of the answer' });
    const options = ['kind', 'rude'].map((key) => ({ key, label: key }));
    const tone = await project.define('categorical', { options });
    const scores = [
      { definition_id: numeric.id, numeric_value: '4.25' },
      { definition_id: tone.id, categorical_values: ['rude'] },
    ];
    const made = await project.send('post', 'trace_reviews/', {
      trace_id: 'trace|1',
      comment: 'Good',
      scores,
    });
    await world.copied();
    const times = [made.created_at, made.updated_at].map((time) => time.replace('Z', '000Z'));
    expect(await project.read('SELECT * FROM trace_reviews')).toEqual([
      [made.id, 'trace|1', 'Good', acme.userId, acme.userId, ...times],
    ]);
    const columns =
      'review_id, trace_id, definition_id, definition_version, kind, numeric_value, boolean_value, categorical_values, passed';
    expect(await project.read(`SELECT ${columns} FROM trace_scores ORDER BY kind`)).toEqual([
      [made.id, 'trace|1', tone.id, 1, 'categorical', null, null, ['rude'], null],
      [made.id, 'trace|1', numeric.id, 1, 'numeric', 4.25, null, [], true],
    ]);
    expect(
      await project.read(
        'SELECT id, name, description, kind, version, archived, tags FROM score_definitions ORDER BY name',
      ),
    ).toEqual([
      [numeric.id, 'Quality', 'Of the answer', 'numeric', 1, false, ['a', 'b']],
      [tone.id, 'categorical', '', 'categorical', 1, false, []],
    ]);
    expect(
      await project.read("SELECT JSONExtractFloat(config, 'max') FROM score_definitions WHERE name = 'Quality'"),
    ).toEqual([[5]]);
  });

  test.each<[string, object, object, boolean | null]>([
    ['numeric', {}, { numeric_value: 1 }, null],
    ['numeric', { passing_rule: null }, { numeric_value: 1 }, null],
    ['numeric', { passing_rule: { operator: 'gte', threshold: 0.3 } }, { numeric_value: '0.3' }, true],
    ['numeric', { passing_rule: { operator: 'gte', threshold: 0.3 } }, { numeric_value: 0.25 }, false],
    ['numeric', { passing_rule: { operator: 'lte', threshold: 0.3 } }, { numeric_value: '0.3' }, true],
    ['numeric', { passing_rule: { operator: 'lte', threshold: 0.3 } }, { numeric_value: 4 }, false],
    ['boolean', {}, { boolean_value: true }, null],
    ['boolean', { true_is_failure: null }, { boolean_value: true }, null],
    ['boolean', { true_is_failure: true }, { boolean_value: true }, false],
    ['boolean', { true_is_failure: true }, { boolean_value: false }, true],
    ['boolean', { true_is_failure: false }, { boolean_value: true }, true],
    ['categorical', {}, { categorical_values: ['a'] }, null],
    ['categorical', { passing_rule: { categories: ['a', 'b'] } }, { categorical_values: ['a', 'b'] }, true],
    ['categorical', { passing_rule: { categories: ['a'] } }, { categorical_values: ['a', 'b'] }, false],
    ['categorical', { passing_rule: { categories: [] } }, { categorical_values: ['b'] }, false],
  ])('a %s score of %j: %j passed: %j', async (kind, config, value, passed) => {
    const options = { options: ['a', 'b'].map((key) => ({ key, label: key })), selection_mode: 'multiple' };
    const { id } = await project.define(kind, kind === 'categorical' ? { ...options, ...config } : config);
    await project.review('t', [{ definition_id: id, ...value }]);
    await world.copied();
    expect(await project.read('SELECT passed FROM trace_scores')).toEqual([[passed]]);
  });

  test('are those of now: what was replaced, taken away or deleted is seen no more, and nothing is left of it', async () => {
    const { id } = await project.define('numeric', {});
    const first = await project.review('t', [{ definition_id: id, numeric_value: 1 }], 'A secret');
    const other = await project.review('u', [{ definition_id: id, numeric_value: 5 }]);
    await world.copied();
    await project.send('patch', `trace_reviews/${first.id}/`, { scores: [{ definition_id: id, numeric_value: 2 }] });
    await project.send('post', `score_definitions/${id}/new_version/`, { config: { max: 9 }, name: 'New' });
    await world.copied();
    const scores = 'SELECT trace_id, numeric_value FROM trace_scores ORDER BY trace_id';
    expect(await project.read(scores)).toEqual([
      ['t', 2],
      ['u', 5],
    ]);
    expect(await project.read('SELECT name, version, config FROM score_definitions')).toEqual([
      ['New', 2, '{"max":9}'],
    ]);
    await project.send('patch', `trace_reviews/${other.id}/`, { scores: [] });
    await project.send('delete', `trace_reviews/${first.id}/`);
    await world.copied();
    expect([await project.read(scores), await project.read('SELECT id FROM trace_reviews')]).toEqual([
      [],
      [[other.id]],
    ]);
    const gone = (await world.stored('trace_reviews', acme)).find((row) => row['id'] === first.id);
    expect(gone).toMatchObject({ is_deleted: true, trace_id: '', comment: '', reviewed_by_id: null });
    expect(await world.waiting()).toBe(0);
  });

  test('go with their project, and come back with it', async () => {
    const { id } = await project.define('boolean', {});
    for (const trace of ['a', 'b', 'c']) await project.review(trace, [{ definition_id: id, boolean_value: true }]);
    const small = () => world.copied({ rowsMax: 2 });
    await small();
    expect(await project.counts()).toEqual([3, 3, 1]);
    const { projectId } = acme;
    await world.api.prisma.project.update({ where: { id: projectId }, data: { deletedAt: new Date() } });
    await small();
    for (const { name } of mirroredTables)
      expect((await world.stored(name, acme)).filter((row) => row['is_deleted'] !== true)).toEqual([]);
    await world.api.prisma.project.update({ where: { id: projectId }, data: { deletedAt: null } });
    await small();
    expect(await project.counts()).toEqual([3, 3, 1]);
    await world.api.prisma.project.delete({ where: { id: projectId } });
    await small();
    expect((await world.stored('trace_scores', acme)).filter((row) => row['is_deleted'] !== true)).toEqual([]);
    expect([(await world.stored('trace_reviews', acme)).length, await world.waiting()]).toEqual([3, 0]);
  });

  test('without their user have none', async () => {
    await project.review('t');
    await world.api.prisma.user.update({ where: { id: acme.userId }, data: { currentOrganizationId: null } });
    await world.api.prisma
      .$executeRaw`UPDATE trace_reviews SET reviewed_by_id = NULL WHERE project_id = ${acme.projectId}`;
    await world.copied();
    expect(await project.read('SELECT created_by_id, reviewed_by_id FROM trace_reviews')).toEqual([
      [acme.userId, null],
    ]);
  });

  test('of another project are not seen', async () => {
    const other = await world.api.seed('Other');
    await project.review('t', [{ definition_id: (await project.define('boolean', {})).id, boolean_value: true }]);
    await world.copied();
    expect([await project.counts(), await world.of(other).counts()]).toEqual([
      [1, 1, 1],
      [0, 0, 0],
    ]);
  });
});
