import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { successStatus, type Route } from '@millrace/http/define-route.ts';
import { exampleOf } from '@millrace/http/example-of.ts';
import { validator } from '@millrace/http/validator.ts';
import { routes } from '../../routes.ts';
import { goodStatus } from '../../test/fixtures/route-fixtures.ts';
import { undeclared, type SchemaParts } from '../../test/schema-values.ts';
import { createRouteSender, parametersOf, type SendToRoute } from '../../test/route-sender.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';
import { keyRoutes } from '../../test/test-keys.ts';
import { tags } from './tags.ts';

// The promise to readers of the reference: each example is a request that works, and the reply looks like its example.
// The examples are sent in the order of the reference. Deletions come last, in the opposite order.
let api: TestApi;
let seed: Seed;
let send: SendToRoute;
beforeAll(async () => {
  api = await startTestApi();
  seed = await api.seed('Acme');
  send = createRouteSender(api, seed);
  await api.insertEvents([
    { team_id: seed.projectId, event: 'signed_up', properties: { plan: 'pro', team: { size: 3 } } },
  ]);
});
afterAll(() => api?.stop());

const isDeletion = ({ method }: Route): boolean => method === 'delete';
const inOrder = [...keyRoutes.filter((route) => !isDeletion(route)), ...keyRoutes.filter(isDeletion).toReversed()].map(
  (route) => [route.operationId, route] as const,
);

/** Examples of the path. Where the system makes an id of the path, only the examples of what is current. */
function exampleParams({ path, params = {} }: Route): Record<string, string> {
  const examples = parametersOf(path).map(({ name }) => {
    const schema = params[name];
    return [name, schema === undefined ? '@current' : String(exampleOf(schema, name))] as const;
  });
  const isCurrent = ([, example]: readonly [string, string]): boolean => example.startsWith('@');
  const isMadeBefore = examples.every((one) => isCurrent(one) || one[0] === 'name');
  return Object.fromEntries(isMadeBefore ? examples : examples.filter(isCurrent));
}

/** The example of a body, about the project and the key of the seed. */
function exampleBody({ body, operationId }: Route): unknown {
  if (body === undefined) return undefined;
  const text = JSON.stringify(exampleOf(body, operationId));
  return JSON.parse(
    text.replace('"phx_…"', `"${seed.key}"`).replace('"production":1', `"production":${seed.projectId}`),
  );
}

/** Names of the fields of a reply; of a list, those of its first row too. */
function fieldsOf(reply: unknown): string[] {
  if (Array.isArray(reply)) return fieldsOf(reply[0]);
  if (typeof reply !== 'object' || reply === null) return [];
  const { results } = reply as { results?: unknown };
  const row = Array.isArray(results) && !Array.isArray(results[0]) ? fieldsOf(results[0]) : [];
  return [...Object.keys(reply), ...row.map((name) => `results.${name}`)];
}

/** The reply to the example of a request has the values of its own example in these fields. */
async function expectExample(operationId: string, fields: readonly string[]): Promise<void> {
  const route = routes.find((one) => one.operationId === operationId) as Route;
  const { body } = await send(route, { key: seed.key, params: exampleParams(route), body: exampleBody(route) });
  const example = exampleOf(route.responses[successStatus(route)], operationId) as Record<string, unknown>;
  const shown = (of: Record<string, unknown>) => Object.fromEntries(fields.map((name) => [name, of[name]]));
  expect(shown(body as unknown as Record<string, unknown>)).toEqual(shown(example));
}

describe('the examples of the reference', () => {
  // Before the others, which make traces.
  test.each([
    ['run_query', ['results', 'columns', 'types', 'query', 'hogql', 'clickhouse', 'limit', 'offset', 'hasMore']],
  ])('%s: the reply is the example, value by value, of all events that there are', (operation, fields) =>
    expectExample(operation, fields),
  );

  test.each(inOrder)('%s', async (_name, route) => {
    const reply = await send(route, { key: seed.key, params: exampleParams(route), body: exampleBody(route) });
    expect([reply.status, reply.text]).toEqual([goodStatus(route), reply.text]);
    const schema = route.responses[successStatus(route)];
    if (reply.status >= 400 || schema === null || schema === undefined || 'contentMediaType' in schema) return;
    if ('patternProperties' in schema) return;
    const fields = fieldsOf(exampleOf(schema, route.operationId));
    const { count, nextOffset, results } = reply.body as { count?: number; nextOffset?: unknown; results?: unknown[] };
    // A query by all filters of its example at once finds nothing.
    const isEmptyList = count === 0 || (nextOffset === null && results?.length === 0);
    expect(fieldsOf(reply.body)).toEqual(
      expect.arrayContaining(isEmptyList ? fields.filter((name) => !name.startsWith('results.')) : fields),
    );
  });

  test.each([
    ['create_endpoint', ['name', 'query', 'columns', 'data_freshness_seconds', 'tags', 'materialization']],
    ['run_endpoint', ['results', 'columns', 'types', 'name', 'query', 'endpoint_version', 'hasMore', 'row_count']],
  ])('%s: the reply is the example, value by value', (operation, fields) => expectExample(operation, fields));

  test.each(routes.map((route) => [route.operationId, route] as const))(
    '%s: its body takes the example, and so does the schema of its reply; texts of the query have one each',
    (name, { body, query, responses, otherTypes = {} }) => {
      for (const schema of [body, ...Object.values(responses), ...Object.values(otherTypes)]) {
        if (schema === undefined || schema === null || 'contentMediaType' in schema) continue;
        const example = exampleOf(schema, name);
        validator(schema)(structuredClone(example));
        expect(undeclared(schema, example)).toEqual([]);
      }
      const { properties = {} } = (query ?? {}) as SchemaParts;
      for (const [parameter, schema] of Object.entries(properties)) {
        const example = exampleOf(schema, `${name} ${parameter}`);
        validator(schema)(example);
      }
    },
  );

  test('the groups are listed once, and each operation is of one of them', () => {
    const names = tags.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['Query endpoints', 'SQL queries']);
    expect([...new Set(routes.map(({ tag }) => tag))]).toEqual(names);
    for (const { description } of tags) expect(description).toMatch(/\.$/);
  });
});
