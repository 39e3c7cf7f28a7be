import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { readPage } from '@millrace/testkit/documented-examples.ts';
import { openMirrorWorld, type MirrorWorld } from '../test/mirror-world.ts';
import type { Seed } from '../test/test-api.ts';

// The promise: what docs/sql.md shows of reviews is saved as an endpoint, charted, exported and materialized, as any query is.

const text = readPage('sql.md');
const section = text.slice(text.indexOf('\n## Reviews and scores\n'), text.indexOf('\n## Arrays\n'));
const statements = [...section.matchAll(/```sql\n([^`]+)\n```/g)].map(([, statement = '']) => statement);
const [qualityByDay = ''] = statements;

let world: MirrorWorld;
let acme: Seed;
let project: ReturnType<MirrorWorld['of']>;
let quality: string;

const nowMs = Date.now();
const day = (daysAgo: number): string => new Date(nowMs - daysAgo * 86_400_000).toISOString().slice(0, 10);
const generation = (traceId: string, model: string, daysAgo: number, teamId = acme.projectId) => ({
  team_id: teamId,
  event: '$ai_generation',
  timestamp: `${day(daysAgo)} 12:00:00.000000`,
  properties: { $ai_trace_id: traceId, $ai_model: model },
});

beforeAll(async () => {
  world = await openMirrorWorld();
  acme = await world.api.seed('Acme');
  project = world.of(acme);
  quality = (await project.define('numeric', { passing_rule: { operator: 'gte', threshold: 3 } }, 'Quality')).id;
  const tone = await project.define('categorical', { options: [{ key: 'rude', label: 'Rude' }] }, 'Tone');
  await world.api.insertEvents([
    generation('t1', 'small', 2),
    generation('t1', 'small', 2),
    generation('t2', 'small', 2),
    generation('t3', 'large', 1),
    generation('not reviewed', 'large', 1),
  ]);
  const score = (numeric_value: number) => ({ definition_id: quality, numeric_value });
  await project.review('t1', [score(1), { definition_id: tone.id, categorical_values: ['rude'] }], 'Wrong');
  await project.review('t2', [score(4)]);
  await project.review('t3', [score(5)]);
  // Another project has the same traces.
  const other = await world.api.seed('Other');
  const theirs = await world.of(other).define('numeric', {}, 'Quality');
  await world.of(other).review('t1', [{ definition_id: theirs.id, numeric_value: 100 }]);
  await world.copied();
});
afterAll(() => world?.close());

const call = <Body extends object>(method: 'post' | 'get', rest: string) =>
  world.api.as(acme.key).send<Body>(method, `/api/projects/${acme.projectId}/endpoints${rest}`);
async function save(name: string, query: object, more: object = {}): Promise<void> {
  const { status, body } = await call('post', '').send({ name, query: { kind: 'HogQLQuery', ...query }, ...more });
  expect([status, body]).toEqual([201, body]);
}
const rows = [
  [day(2), 'small', 2.5],
  [day(1), 'large', 5],
];

describe('quality by model and day', () => {
  test('is an endpoint, each trace counted once for its model', async () => {
    await save('quality', { query: qualityByDay });
    const { body } = await call<{ results: unknown[][] }>('post', '/quality/run').send({});
    expect(body.results).toEqual(rows);
    const { text: csv } = await call('get', '/quality/run?format=csv');
    expect(csv.trimEnd().split(/\r?\n/)).toEqual([
      '"day","model","quality"',
      ...rows.map(([on, model, value]) => `"${on}","${model}",${value}`),
    ]);
  });

  test('of one model is a chart', async () => {
    await save('of-model', {
      query: `SELECT day, quality FROM (${qualityByDay}) WHERE model = {variables.model}`,
      variables: { model: { code_name: 'model', value: 'small' } },
    });
    const drawn = await call('get', '/of-model/run?format=svg&model=large');
    expect([drawn.status, drawn.headers['content-type']]).toEqual([200, expect.stringContaining('image/svg+xml')]);
  });

  test('may be materialized; its table is built whole, and has the scores of then', async () => {
    await save('stored', { query: qualityByDay }, { is_materialized: true });
    const run = async () =>
      (
        await call<{ path: string; results: unknown[][] }>('post', '/stored/run').send({
          refresh: 'force',
          debug: true,
        })
      ).body;
    await eventually(async () => expect(await run()).toMatchObject({ path: 'materialized', results: rows }));
  }, 20_000);
});

test.each(statements)('has rows: %s', async (statement) => {
  expect(await project.read(statement)).not.toEqual([]);
});
