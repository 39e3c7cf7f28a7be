import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { openMirrorWorld, type MirrorWorld } from '../test/mirror-world.ts';
import type { Seed } from '../test/test-api.ts';

// The promise: scores join the calls of their traces, also when the ids of traces look like numbers and were learned as such.

let world: MirrorWorld;
let acme: Seed;
let project: ReturnType<MirrorWorld['of']>;
beforeAll(async () => {
  world = await openMirrorWorld();
  acme = await world.api.seed('Acme');
  project = world.of(acme);
  await learnNumeric();
  await world.api.insertEvents(traces.map(([traceId, model]) => generation(traceId, model)));
  const { id } = await project.define('numeric', {}, 'Quality');
  for (const [traceId, , score] of traces) await project.review(traceId, [{ definition_id: id, numeric_value: score }]);
  await world.copied();
});
afterAll(() => world?.close());

/** Ids that are one as numbers, two by two. */
const traces = [
  ['9007199254740992', 'a', 1],
  ['9007199254740993', 'b', 2],
  ['7', 'c', 3],
  ['007', 'd', 4],
] as const;
const rows = traces.map(([traceId, model, score]) => [traceId, model, score]);

const generation = (traceId: string, model: string) => ({
  team_id: acme.projectId,
  event: '$ai_generation',
  distinct_id: 'ada',
  timestamp: '2026-01-02 03:04:05.000000',
  properties: { $ai_trace_id: traceId, $ai_model: model },
});

async function learnNumeric(): Promise<void> {
  const key = { projectId: acme.projectId, type: 'event', groupTypeIndex: -1, name: '$ai_trace_id' };
  const now = new Date();
  await world.api.prisma.propertyDefinition.create({
    data: { ...key, firstSeenAt: now, lastSeenAt: now, propertyType: 'Numeric' },
  });
}

const join = `SELECT g.trace_id AS trace_id, model, s.numeric_value AS score
FROM (SELECT properties.$ai_trace_id AS trace_id, properties.$ai_model AS model, min(toDate(timestamp)) AS day FROM events WHERE event = '$ai_generation' GROUP BY trace_id, model) AS g
JOIN trace_scores s ON s.trace_id = g.trace_id ORDER BY model`;

const endpoints = () => `/api/projects/${acme.projectId}/endpoints`;

interface Run {
  results: unknown[][];
  path: string;
}
async function run(name: string, body: object = {}): Promise<Run> {
  const path = `${endpoints()}/${name}/run`;
  const reply = await world.api
    .as(acme.key)
    .send<Run>('post', path)
    .send({ debug: true, refresh: 'force', ...body });
  expect([reply.status, reply.body]).toEqual([200, reply.body]);
  return reply.body;
}
async function save(name: string, query: object, rest: object = {}): Promise<void> {
  const body = { name, query: { kind: 'HogQLQuery', ...query }, ...rest };
  const reply = await world.api.as(acme.key).send('post', endpoints()).send(body);
  expect([reply.status, reply.body]).toEqual([201, reply.body]);
}

test('in a query', async () => {
  expect(await project.read(join)).toEqual(rows);
  expect(await project.read('SELECT count(DISTINCT properties.$ai_trace_id) FROM events')).toEqual([[4]]);
});

test('in a version of an endpoint that has kept the type', async () => {
  await save('scores', { query: join });
  const { endpointVersion } = world.api.prisma;
  const propertyTypes = { event: { $ai_trace_id: 'Numeric' } };
  await endpointVersion.updateMany({ where: { endpoint: { name: 'scores' } }, data: { propertyTypes } });
  expect((await run('scores')).results).toEqual(rows);
});

test('in the table of an endpoint', async () => {
  const variables = { trace: { code_name: 'trace' } };
  const query =
    'SELECT properties.$ai_trace_id AS trace_id, count() AS calls FROM events WHERE properties.$ai_trace_id = {variables.trace} GROUP BY trace_id';
  await save('calls', { query, variables }, { is_materialized: true });
  const called = (trace: string) => run('calls', { variables: { trace } });
  const stored = (trace: string) => ({ results: [[trace, 1]], path: 'materialized' });
  await eventually(async () => expect(await called('007')).toMatchObject(stored('007')), { deadlineMs: 20_000 });
  for (const [trace] of traces) expect(await called(trace)).toMatchObject(stored(trace));
});
