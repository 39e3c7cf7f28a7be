import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { logicalTables } from '@millrace/query-language/schema/logical-schema.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

// The promise to editors: they learn what a query may name, and no name of another project. Rows of definitions are the
// consumer's: here the test adds them. Who may call is for the generated requests.

interface Schema {
  tables: { name: string; comment: string; columns: { name: string; type: string }[] }[];
  functions: {
    name: string;
    kind: string;
    least_arguments: number | null;
    most_arguments: number | null;
    signature: string;
  }[];
  events: string[];
  more_events: number;
  properties: { owner: string; name: string; type: string | null }[];
  more_properties: number;
}

interface Database {
  tables: Record<string, { type: string; id: string; name: string; fields: Record<string, object> }>;
  joins: unknown[];
}

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;

let api: TestApi;
let acme: Seed;
let other: Seed;
let sibling: Seed;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  other = await api.seed('Other');
  const { organizationId } = acme;
  sibling = { ...acme, projectId: (await api.admin.createProject({ organizationId, name: 'Sibling' })).projectId };
});

const seenAgo = (ms: number) => {
  const at = new Date(Date.now() - ms);
  return { firstSeenAt: at, lastSeenAt: at };
};
const addEvents = (names: readonly string[], { projectId } = acme, agoMs = hourMs) =>
  api.prisma.eventDefinition.createMany({ data: names.map((name) => ({ projectId, name, ...seenAgo(agoMs) })) });
const addProperty = (name: string, fields: object = {}, { projectId } = acme, agoMs = hourMs) =>
  api.prisma.propertyDefinition.create({
    data: { projectId, type: 'event', name, ...seenAgo(agoMs), ...fields },
  });
const schemaOf = async ({ projectId, key }: Seed, prefix = 'projects'): Promise<Schema> =>
  (await api.as(key).send<Schema>('get', `/api/${prefix}/${projectId}/query/schema`)).body;
const ask = (query: object, { projectId, key } = acme) =>
  api.as(key).send<Database>('post', `/api/environments/${projectId}/query/`).send({ query });

describe('the schema of queries', () => {
  test('has the tables with their columns as DESCRIBE shows them, on both prefixes', async () => {
    const { tables } = await schemaOf(acme);
    expect(tables.map(({ name }) => name)).toEqual([...logicalTables.keys()]);
    const described = await api
      .as(acme.key)
      .send<{ results: [string, string, boolean][] }>('post', `/api/projects/${acme.projectId}/query`)
      .send({ query: { kind: 'HogQLQuery', query: 'DESCRIBE events' } });
    expect(tables[0]?.columns.map(({ name, type }) => [name, type])).toEqual(
      described.body.results.map(([name, type]) => [name, type]),
    );
    expect(await schemaOf(acme, 'environments')).toEqual(await schemaOf(acme));
  });

  test('has the functions with their signatures; null where any number of arguments goes, or it is not known', async () => {
    const { functions } = await schemaOf(acme);
    expect(functions.filter(({ name }) => ['if', 'toStartOfWeek', 'uniq'].includes(name))).toEqual([
      { name: 'if', kind: 'scalar', least_arguments: null, most_arguments: null, signature: 'if(…)' },
      {
        name: 'toStartOfWeek',
        kind: 'scalar',
        least_arguments: 1,
        most_arguments: 3,
        signature: 'toStartOfWeek(time, integer?, text?) -> date',
      },
      {
        name: 'uniq',
        kind: 'aggregate',
        least_arguments: 1,
        most_arguments: null,
        signature: 'uniq(any, any...) -> integer',
      },
    ]);
  });

  test('has the events and properties of the last 7 days, newest first, with the types that they settled to', async () => {
    await addEvents(['older'], acme, 2 * hourMs);
    await addEvents(['newer']);
    await addEvents(['just_in'], acme, weekMs - hourMs);
    await addEvents(['out'], acme, weekMs + hourMs);
    await addProperty('price', { propertyType: 'Numeric' });
    await addProperty('mail', { type: 'person', propertyType: 'String' }, acme, 2 * hourMs);
    await addProperty('size', { type: 'group', groupTypeIndex: 3 }, acme, 3 * hourMs);
    await addProperty('out', {}, acme, weekMs + hourMs);
    await addProperty('$set');
    expect(await schemaOf(acme)).toMatchObject({
      events: ['newer', 'older', 'just_in'],
      more_events: 0,
      properties: [
        { owner: 'event', name: 'price', type: 'Numeric' },
        { owner: 'person', name: 'mail', type: 'String' },
        { owner: 'group_3', name: 'size', type: null },
      ],
      more_properties: 0,
    });
  });

  test('has no name of another project, of the same organization or another', async () => {
    for (const [seed, name] of [
      [acme, 'mine'],
      [sibling, 'sibling'],
      [other, 'other'],
    ] as const) {
      await addEvents([name], seed);
      await addProperty(`${name}_property`, {}, seed);
    }
    for (const [seed, name] of [
      [acme, 'mine'],
      [sibling, 'sibling'],
      [other, 'other'],
    ] as const)
      expect(await schemaOf(seed)).toMatchObject({
        events: [name],
        properties: [{ owner: 'event', name: `${name}_property`, type: null }],
      });
  });

  test('is bounded: 1,000 names of each kind, and how many there are beyond', async () => {
    const names = Array.from({ length: 1_002 }, (_, index) => `name_${String(index).padStart(4, '0')}`);
    await addEvents(names);
    await api.prisma.propertyDefinition.createMany({
      data: names.map((name) => ({ projectId: acme.projectId, type: 'event', name, ...seenAgo(hourMs) })),
    });
    const { events, more_events: moreEvents, properties, more_properties: moreProperties } = await schemaOf(acme);
    expect([events.length, moreEvents, properties.length, moreProperties]).toEqual([1_000, 2, 1_000, 2]);
  });

  test('needs query:read', async () => {
    const { key } = await api.admin.createKey({ email: acme.email, scopes: ['event_definition:read'] });
    const path = `/api/projects/${acme.projectId}/query`;
    const refused = [
      await api.as(key).send('get', `${path}/schema`),
      await api
        .as(key)
        .send('post', path)
        .send({ query: { kind: 'DatabaseSchemaQuery' } }),
    ];
    for (const { status, body } of refused)
      expect([status, body.detail]).toEqual([403, expect.stringContaining('query:read')]);
  });

  test('is at this name only', async () => {
    const { status, headers } = await api.as(acme.key).send('get', `/api/projects/${acme.projectId}/query/schemas`);
    expect([status, headers['allow']]).toEqual([405, 'DELETE']);
  });
});

describe('DatabaseSchemaQuery (contract/clients B9)', () => {
  test('has the same tables and columns, in the words of PostHog', async () => {
    const { status, body } = await ask({ kind: 'DatabaseSchemaQuery' });
    expect([status, Object.keys(body)]).toEqual([200, ['tables', 'joins']]);
    expect(body.joins).toEqual([]);
    const { tables } = await schemaOf(acme);
    expect(Object.values(body.tables).map(({ name, fields }) => [name, Object.keys(fields)])).toEqual(
      tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]),
    );
    expect(body.tables['events']).toMatchObject({
      type: 'posthog',
      id: 'events',
      name: 'events',
      fields: {
        event: { name: 'event', hogql_value: 'event', type: 'string', schema_valid: true },
        uuid: { type: 'string' },
        timestamp: { type: 'datetime' },
        elements_chain_elements: { type: 'array' },
        properties: { type: 'json' },
        'person.properties': { hogql_value: 'person.properties', type: 'json' },
      },
    });
    expect(body.tables['query_log']?.fields).toMatchObject({
      query_duration_ms: { type: 'integer' },
      event_date: { type: 'date' },
      is_personal_api_key_request: { type: 'boolean' },
    });
  });

  test('is the same with names and without; fields that other kinds have are ignored', async () => {
    const before = (await ask({ kind: 'DatabaseSchemaQuery', modifiers: {}, query: 7 })).body;
    await addProperty('price');
    expect((await ask({ kind: 'DatabaseSchemaQuery' })).body).toEqual(before);
  });
});
