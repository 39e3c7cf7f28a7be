import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// The promise: a property is what it was met as, and what a dashboard shows does not change under it (contract/decisions 74).
let api: TestApi;
let acme: Seed;
let other: Seed;

beforeAll(async () => {
  api = await startTestApi();
  [acme, other] = [await api.seed('Acme'), await api.seed('Other')];
  for (const { projectId } of [acme, other])
    await api.insertEvents(
      [2, 10, 'none'].map((revenue, n) => ({
        team_id: projectId,
        event: 'paid',
        distinct_id: `d${n}`,
        timestamp: `2026-01-02 03:04:0${n}.000000`,
        properties: { revenue, gift: n !== 1, tags: ['a', n] },
      })),
    );
});
afterAll(() => api?.stop());

/** Settles the type of an event property of Acme, as the consumer or a member does. */
async function settle(types: Record<string, string | null>): Promise<void> {
  for (const [name, propertyType] of Object.entries(types)) {
    const key = { projectId: acme.projectId, type: 'event', groupTypeIndex: -1, name };
    const times = { firstSeenAt: new Date(), lastSeenAt: new Date() };
    await api.prisma.propertyDefinition.upsert({
      where: { projectId_type_groupTypeIndex_name: key },
      create: { ...key, ...times, propertyType: null },
      update: {},
    });
    await api.prisma.propertyDefinition.update({
      where: { projectId_type_groupTypeIndex_name: key },
      data: { propertyType },
    });
  }
}

interface Answer {
  results: unknown[][];
  types: [string, string][];
  warnings?: { message: string }[];
}

async function query(seed: Seed, sql: string): Promise<Answer> {
  const body = { query: { kind: 'HogQLQuery', query: sql } };
  const { status, body: found } = await api
    .as(seed.key)
    .send<Answer>('post', `/api/projects/${seed.projectId}/query`)
    .send(body);
  expect([status, found]).toEqual([200, found]);
  return found;
}

const revenues = 'SELECT properties.revenue FROM events ORDER BY timestamp';

describe('types that the project has learned', () => {
  test('reach queries that are not saved within a moment, those of this project alone', async () => {
    expect((await query(acme, revenues)).results).toEqual([['2'], ['10'], ['none']]);
    await settle({ revenue: 'Numeric', gift: 'Boolean', tags: 'List' });
    await eventually(async () => expect((await query(acme, revenues)).results).toEqual([[2], [10], [null]]));
    expect((await query(other, revenues)).results).toEqual([['2'], ['10'], ['none']]);
    expect(await query(acme, 'SELECT sum(properties.gift), max(properties.revenue) FROM events')).toMatchObject({
      results: [[2, 10]],
    });
    await settle({ revenue: null });
    await eventually(async () => expect((await query(acme, revenues)).results).toEqual([['2'], ['10'], ['none']]));
  });

  test('reach the next query of the same process when a member sets one', async () => {
    await settle({ revenue: 'String' });
    const base = `/api/projects/${acme.projectId}/property_definitions`;
    const { body } = await api.as(acme.key).send<{ results: { id: string }[] }>('get', `${base}?search=revenue`);
    const set = (type: string) =>
      api.as(acme.key).send('patch', `${base}/${body.results[0]?.id}`).send({ property_type: type });
    expect((await set('Numeric')).status).toBe(200);
    expect((await query(acme, revenues)).results).toEqual([[2], [10], [null]]);
    expect((await set('String')).status).toBe(200);
    expect((await query(acme, revenues)).results).toEqual([['2'], ['10'], ['none']]);
  });

  test('stay those of the time when a version was saved; a new version has those of now', async () => {
    await settle({ revenue: 'Numeric' });
    await eventually(async () => expect((await query(acme, revenues)).results[0]).toEqual([2]));
    const base = `/api/projects/${acme.projectId}/endpoints`;
    const save = async (name: string, sql: string): Promise<void> => {
      const body = { name, query: { kind: 'HogQLQuery', query: sql } };
      expect((await api.as(acme.key).send('post', base).send(body)).status).toBe(201);
    };
    const run = async (name: string, parameters = '?refresh=force'): Promise<unknown[][]> => {
      const reply = await api.as(acme.key).send<Answer>('get', `${base}/${name}/run${parameters}`);
      expect(reply.status).toBe(200);
      return reply.body.results;
    };
    await save('revenues', revenues);
    await settle({ revenue: 'String' });
    await eventually(async () => expect((await query(acme, revenues)).results[0]).toEqual(['2']));
    expect(await run('revenues')).toEqual([[2], [10], [null]]);
    const changed = { query: { kind: 'HogQLQuery', query: `${revenues} DESC` } };
    expect((await api.as(acme.key).send('patch', `${base}/revenues`).send(changed)).status).toBe(200);
    expect(await run('revenues')).toEqual([['none'], ['10'], ['2']]);
    expect(await run('revenues', '?refresh=force&version=1')).toEqual([[2], [10], [null]]);
    const { body } = await api.as(acme.key).send<{ columns: unknown }>('get', `${base}/revenues?version=1`);
    expect(body.columns).toEqual([{ name: 'revenue', type: 'float' }]);
  });

  test('a version that is older than types reads texts', async () => {
    await settle({ revenue: 'Numeric' });
    const base = `/api/projects/${acme.projectId}/endpoints`;
    const body = { name: 'older', query: { kind: 'HogQLQuery', query: revenues } };
    expect((await api.as(acme.key).send('post', base).send(body)).status).toBe(201);
    await api.prisma.endpointVersion.updateMany({
      where: { endpoint: { name: 'older' } },
      data: { propertyTypes: {} },
    });
    const reply = await api.as(acme.key).send<Answer>('get', `${base}/older/run`);
    expect(reply.body.results).toEqual([['2'], ['10'], ['none']]);
  });

  test('are in streams, and in columns of a check', async () => {
    await settle({ revenue: 'Numeric' });
    await eventually(async () => expect((await query(acme, revenues)).results[0]).toEqual([2]));
    const base = `/api/projects/${acme.projectId}/endpoints`;
    const body = { name: 'streamed', query: { kind: 'HogQLQuery', query: revenues } };
    expect((await api.as(acme.key).send('post', base).send(body)).status).toBe(201);
    const { text } = await api.as(acme.key).send('get', `${base}/streamed/run?format=ndjson`);
    expect(text).toBe('{"revenue":2}\n{"revenue":10}\n{"revenue":null}\n');
  });
});

describe('names that the project has never sent', () => {
  const message = (found: Answer): string[] => (found.warnings ?? []).map((warning) => warning.message);
  const addEvents = (seed: Seed, names: string[]) =>
    api.prisma.eventDefinition.createMany({
      data: names.map((name) => ({ projectId: seed.projectId, name, firstSeenAt: new Date(), lastSeenAt: new Date() })),
    });

  test('are warnings of the run, with the nearest of this project’s own names', async () => {
    await addEvents(acme, ['paid']);
    // The feed brings a changed type, and with it the names.
    for (const type of ['String', 'Numeric']) await settle({ revenue: type });
    const third = await api.seed('Third');
    await addEvents(third, ['pail']);
    const sql = "SELECT count(), sum(properties.ravenue) FROM events WHERE event = 'pait'";
    await eventually(async () => {
      const warnings = message(await query(acme, sql));
      expect(warnings).toEqual([expect.stringMatching(/ravenue.*`revenue`/), expect.stringMatching(/pait.*`paid`/)]);
    });
    // Nothing is learned of this project's properties, and nobody else's are named.
    expect(message(await query(third, "SELECT properties.ravenue FROM events WHERE event = 'paid'"))).toEqual([
      expect.stringMatching(/paid.*`pail`/),
    ]);
  });

  test('are not called unknown once they are sent, though names are cached', async () => {
    const sql =
      "SELECT count(), sum(properties.just_now), max(person.properties.just_now), max(group_2.properties.just_now) FROM events WHERE event = 'just now'";
    const now = new Date();
    const owners = [{ type: 'event' }, { type: 'person' }, { type: 'group', groupTypeIndex: 2 }];
    const addProperties = (name: string) =>
      api.prisma.propertyDefinition.createMany({
        data: owners.map((owner) => ({
          ...owner,
          projectId: acme.projectId,
          name,
          firstSeenAt: now,
          lastSeenAt: now,
        })),
      });
    await addProperties('first');
    await settle({ revenue: 'String' });
    await eventually(async () => expect(message(await query(acme, sql))).toHaveLength(4));
    await addEvents(acme, ['just now']);
    expect(message(await query(acme, sql))).toHaveLength(3);
    await addProperties('just_now');
    expect(message(await query(acme, sql))).toEqual([]);
  });

  test('are called unknown only when all names of the project are learned', async () => {
    const fourth = await api.seed('Fourth');
    await addEvents(fourth, ['paid']);
    const sql = "SELECT count() FROM events WHERE event = 'pait'";
    expect(message(await query(fourth, sql))).toHaveLength(1);
    // The consumer has missed a name: also names that are cached are not the basis of a warning.
    await api.prisma.project.update({ where: { id: fourth.projectId }, data: { definitionsCompleteAt: null } });
    expect(message(await query(fourth, sql))).toEqual([]);
  });

  test('are warnings of a saved endpoint too, though its types are those of its version', async () => {
    const base = `/api/projects/${acme.projectId}/endpoints`;
    const body = {
      name: 'misspelt',
      query: { kind: 'HogQLQuery', query: 'SELECT sum(properties.ravenue) FROM events' },
    };
    expect((await api.as(acme.key).send('post', base).send(body)).status).toBe(201);
    const { body: found } = await api.as(acme.key).send<Answer>('get', `${base}/misspelt/run`);
    expect(message(found)).toEqual([expect.stringMatching(/ravenue.*`revenue`/)]);
  });
});
