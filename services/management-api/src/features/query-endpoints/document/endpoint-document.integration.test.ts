import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

let api: TestApi;
let acme: Seed;
let base: string;

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}/endpoints`;
});
afterAll(() => api?.stop());

interface Document {
  openapi: string;
  info: { title: string; description: string; version: string };
  paths: Record<string, { post: { operationId: string; security: object[]; requestBody: { required: boolean } } }>;
  components: {
    schemas: Record<
      string,
      { properties: Record<string, unknown>; required?: string[]; additionalProperties?: boolean }
    >;
  };
}

/** Fields of the first kind of a filter. */
interface PublishedFilter {
  anyOf: [{ properties: Record<'operator' | 'type', { enum: (string | null)[] }> }];
}

async function save(name: string, sql: string, variables?: object): Promise<void> {
  const { status } = await api
    .as(acme.key)
    .send('post', base)
    .send({ name, query: { kind: 'HogQLQuery', query: sql, variables } });
  expect([name, status]).toEqual([name, 201]);
}
async function documentOf(name: string, query = ''): Promise<Document> {
  const { status, body } = await api.as(acme.key).send<Document>('get', `${base}/${name}/openapi.json${query}`);
  expect([name, status]).toEqual([name, 200]);
  return body;
}

const typed =
  'SELECT event, {variables.day} AS day, {variables.least} AS least, {variables.flag} AS flag, has({variables.list}, event) AS listed, {variables.free} AS free FROM events';
const variables = {
  a: { code_name: 'day', type: 'Date' },
  b: { code_name: 'least', type: 'Number', value: 3 },
  c: { code_name: 'flag', type: 'Boolean', value: true },
  d: { code_name: 'list', type: 'List', value: ['x'] },
  e: { code_name: 'free', type: 'String', isNull: true },
};

describe('the OpenAPI document of an endpoint (contract/endpoints 8)', () => {
  test('describes its run: the path, the variables with types, and the required ones', async () => {
    await save('typed-one', typed, variables);
    const document = await documentOf('typed-one', '/');
    expect([document.openapi, document.info]).toEqual([
      '3.0.3',
      { title: 'typed-one', description: expect.stringContaining('typed-one'), version: '1' },
    ]);
    expect(document.paths).toEqual({
      [`${base}/typed-one/run`]: {
        post: expect.objectContaining({
          operationId: 'run_typed_one',
          requestBody: expect.objectContaining({ required: true }),
        }),
      },
    });
    expect(document.components.schemas['Variables']).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['day'],
      properties: {
        day: { type: 'string', format: 'date' },
        least: { type: 'number', example: 3 },
        flag: { type: 'boolean', example: true },
        list: { type: 'array', items: { type: 'string' }, example: ['x'] },
        free: { type: 'string', nullable: true },
      },
    });
    expect(document.components.schemas['EndpointRunRequest']?.required).toEqual(['variables']);
  });

  test('of an endpoint without variables has none, and wants no body', async () => {
    await save('plain', 'SELECT count() AS total, event FROM events GROUP BY event');
    const document = await documentOf('plain');
    expect(document.components.schemas).not.toHaveProperty('Variables');
    expect(document.components.schemas['EndpointRunResult']?.properties['results']).toMatchObject({
      'x-row': [
        { name: 'total', type: 'integer' },
        { name: 'event', type: 'string' },
      ],
    });
    expect(document.paths[`${base}/plain/run`]?.post.requestBody.required).toBe(false);
  });

  test('allows for what a run shows: comparisons are 1 and 0, booleans true and false', async () => {
    await save('conditions', "SELECT 1 = 1 AS compared, 'a' LIKE 'b' AS liked, true AS literal");
    expect((await api.as(acme.key).send('post', `${base}/conditions/run`)).body.results).toEqual([[1, 0, true]]);
    const { 'x-row': row } = (await documentOf('conditions')).components.schemas['EndpointRunResult']?.properties[
      'results'
    ] as { 'x-row': { anyOf: object[] }[] };
    for (const { anyOf } of row) expect(anyOf).toMatchObject([{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }]);
  });

  test('has a type for each kind of column, and a name that any language takes', async () => {
    const sql = `SELECT event AS text, 1 AS whole, 1.5 AS part, toDecimal('1', 2) AS exact, timestamp AS time, toDate(timestamp) AS day, [1] AS list, tuple(1, 'a') AS pair FROM events`;
    await save('a-typed-row', sql);
    const { paths, components } = await documentOf('a-typed-row');
    expect(Object.values(paths).map(({ post }) => [post.operationId, post.security])).toEqual([
      ['run_a_typed_row', [{ PersonalAPIKey: [] }]],
    ]);
    const { items, 'x-row': row } = components.schemas['EndpointRunResult']?.properties['results'] as {
      items: object;
      'x-row': object[];
    };
    const nullable = true;
    expect(row).toEqual([
      { name: 'text', type: 'string', nullable },
      { name: 'whole', type: 'integer', nullable },
      { name: 'part', type: 'number', nullable },
      { name: 'exact', type: 'number', nullable },
      { name: 'time', type: 'string', format: 'date-time', nullable },
      { name: 'day', type: 'string', format: 'date', nullable },
      { name: 'list', type: 'array', items: {}, nullable },
      { name: 'pair' },
    ]);
    // One of its columns may be anything, and so may any value of a row.
    expect(items).toEqual({ type: 'array', items: {} });
    await save('two-types', 'SELECT 1 AS whole, 2 AS other, event FROM events');
    expect(
      (await documentOf('two-types')).components.schemas['EndpointRunResult']?.properties['results'],
    ).toMatchObject({
      items: {
        items: {
          anyOf: [
            { type: 'integer', nullable },
            { type: 'string', nullable },
          ],
        },
      },
    });
  });

  test('is of the version that is named; versions that are none are refused', async () => {
    await save('versions', 'SELECT 1 AS a');
    await api
      .as(acme.key)
      .send('patch', `${base}/versions`)
      .send({ query: { kind: 'HogQLQuery', query: 'SELECT 2 AS b' }, description: 'Two.' });
    expect([(await documentOf('versions', '?version=1')).info.version, (await documentOf('versions')).info]).toEqual([
      '1',
      { title: 'versions', description: 'Two.', version: '2' },
    ]);
    expect(
      (await documentOf('versions', '?version=1')).components.schemas['EndpointRunRequest']?.properties['version'],
    ).toMatchObject({ minimum: 1, maximum: 2 });
    await save('more-and-more', 'SELECT {variables.first}', { a: { code_name: 'first', type: 'Number' } });
    await api
      .as(acme.key)
      .send('patch', `${base}/more-and-more`)
      .send({
        query: {
          kind: 'HogQLQuery',
          query: 'SELECT {variables.second}',
          variables: { a: { code_name: 'second', type: 'Date' } },
        },
      });
    const requiredOf = async (query: string) =>
      (await documentOf('more-and-more', query)).components.schemas['Variables']?.required;
    expect([await requiredOf('?version=1'), await requiredOf('')]).toEqual([['first'], ['second']]);
    const unknown = await api.as(acme.key).send('get', `${base}/versions/openapi.json?version=7`);
    expect([unknown.status, unknown.body]).toEqual([
      404,
      expect.objectContaining({ error: expect.stringContaining('7') }),
    ]);
    const bad = await api.as(acme.key).send('get', `${base}/versions/openapi.json?version=x`);
    expect([bad.status, bad.body.attr]).toEqual([400, 'version']);
  });

  test('of an insight has the filters of a run, with the operators and types that there are; one of SQL has none', async () => {
    const series = [{ kind: 'EventsNode', event: 'view' }];
    const query = { kind: 'TrendsQuery', series };
    const { status } = await api.as(acme.key).send('post', base).send({ name: 'an-insight', query });
    expect(status).toBe(201);
    const { EndpointRunRequest, DashboardFilter } = (await documentOf('an-insight')).components.schemas;
    expect(EndpointRunRequest?.properties).toHaveProperty('filters_override');
    expect(Object.keys(DashboardFilter?.properties ?? {})).toEqual([
      'date_from',
      'date_to',
      'explicitDate',
      'properties',
    ]);

    await save('no-insight', 'SELECT 1 AS one');
    const { schemas } = (await documentOf('no-insight')).components;
    expect(schemas['EndpointRunRequest']?.properties).not.toHaveProperty('filters_override');
    expect(Object.keys(schemas)).toEqual(['EndpointRunRequest', 'EndpointRunResult', 'Error']);
  });

  test('of an insight allows the filters that a run takes, and no others', async () => {
    const { components } = await documentOf('an-insight');
    const ajv = new Ajv({ strict: false });
    const isAllowed = ajv.compile({ $ref: '#/components/schemas/EndpointRunRequest', components });
    const [{ properties }] = (components.schemas['PropertyFilter'] as unknown as PublishedFilter).anyOf;
    const keys = { element: 'text', event_metadata: 'event', session: '$session_duration', hogql: 'true' };
    const values: Record<string, unknown> = {
      regex: 'x',
      between: [1, 2],
      not_between: [1, 2],
      semver_wildcard: '1.*',
    };
    const types = properties.type.enum.map((type) => ({
      key: Object.entries(keys).find(([name]) => name === type)?.[1] ?? 'a',
      type,
      value: '1',
      group_type_index: 0,
    }));
    const operators = properties.operator.enum.map((operator) => {
      const value = /^is_date/.test(String(operator)) ? '2026-01-31' : /^semver/.test(String(operator)) ? '1.2.3' : '1';
      return { key: 'a', operator, value: values[String(operator)] ?? value };
    });
    const accepted: object[] = [
      ...types,
      ...operators,
      ...['pro', 1.5, true, ['pro', 'free'], [1, 2], [true, 'x', 3]].map((value) => ({ key: 'a', value })),
      { key: 'a', operator: 'is_set' },
      { key: 'a', operator: 'is_not_set', value: null, group_type_index: null, label: 'A' },
      { key: "properties.plan = 'pro'", type: 'hogql', value: null, operator: null },
      { type: 'empty' },
      {
        type: 'OR',
        values: [
          { key: 'a', value: 1 },
          { type: 'AND', values: [] },
        ],
      },
    ];
    const refused: object[] = [
      {},
      { value: 'pro' },
      { key: '', value: 'pro' },
      { type: 'hogql' },
      { key: 'a', value: {} },
      { key: 'a', value: [] },
      { key: 'a', value: 'x', operator: 'sounds_like' },
      { key: 'id', value: 3, type: 'cohort' },
      { type: 'NOT', values: [] },
    ];
    const seen = async (filter: object): Promise<[boolean, boolean]> => {
      const body = { filters_override: { explicitDate: null, properties: [filter] } };
      const { status } = await api.as(acme.key).send('post', `${base}/an-insight/run`).send(body);
      return [isAllowed(body), status === 200];
    };
    for (const filter of accepted) expect([filter, await seen(filter)]).toEqual([filter, [true, true]]);
    for (const filter of refused) expect([filter, await seen(filter)]).toEqual([filter, [false, false]]);
  });

  test('is valid OpenAPI 3.0 by a validator that we have not written', async () => {
    const { Validator } = await import('@seriousme/openapi-schema-validator');
    for (const name of ['typed-one', 'plain', 'conditions', 'versions', 'an-insight']) {
      expect([name, await new Validator().validate((await documentOf(name)) as never)]).toEqual([
        name,
        { valid: true },
      ]);
    }
  });
});
