import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { validator } from '@millrace/http/validator.ts';
import fc from 'fast-check';
import type { Route } from '@millrace/http/define-route.ts';
import { insightKinds } from './queries/insights/insight-kinds.ts';
import { routes } from './routes.ts';
import { typicalDefinitions } from './queries/insights/testing/typical-definitions.ts';
import { insightOf, withQuery } from './test/insight-arbitrary.ts';
import { goodParams, parametersOf } from './test/route-sender.ts';
import { anyJson, sent, sentText, withoutReferences } from './test/schema-arbitrary.ts';
import { asForm, type SchemaParts } from './test/schema-values.ts';
import { restoreKey } from './test/test-keys.ts';
import { startTestApi, type Seed, type TestApi } from './test/test-api.ts';
import type { Method, Reply } from './test/test-request.ts';

// Clients are made of nothing but our own OpenAPI document. Whatever they send: no 5xx, a status that the document names
// for the operation, and a body of the form that it gives for the status.
interface Operation {
  parameters: { name: string; in: 'path' | 'query'; schema: SchemaParts }[];
  requestBody?: { content: Record<string, { schema: SchemaParts }> };
  responses: Record<string, { content?: Record<string, { schema: SchemaParts }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, SchemaParts> };
}

/** Number of requests to each route, however slow the machine. */
const runsMax = 25;

let api: TestApi;
let acme: Seed;
let document: Document;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  document = (await api.as(undefined).send<Document>('get', '/api/schema')).body;
});
afterAll(() => api?.stop());

interface Sent {
  params: Record<string, string>;
  query: Record<string, string>;
  body: { text: string; type: string } | undefined;
  key: string | undefined;
  accept: string;
}

/** Requests for one operation; `good`: path parameters of things that are there; `insight`: what the query of a body is. */
function requests(
  operation: Operation,
  good: Record<string, string>,
  insight?: fc.Arbitrary<object>,
): fc.Arbitrary<Sent> {
  const resolved = operation.parameters.map((parameter) => ({
    ...parameter,
    schema: withoutReferences(parameter.schema, document.components.schemas),
  }));
  const of = (place: 'path' | 'query') => resolved.filter((parameter) => parameter.in === place);
  const params = of('path').map(({ name, schema }) => [
    name,
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(good[name] ?? '') },
      { weight: 1, arbitrary: sentText(schema).filter((text) => text !== '') },
    ),
  ]);
  const query = of('query').map(({ name, schema }) => [name, sentText(schema)]);
  return fc.record({
    params: fc.record(Object.fromEntries(params) as Record<string, fc.Arbitrary<string>>),
    query: fc.record(Object.fromEntries(query) as Record<string, fc.Arbitrary<string>>, {
      requiredKeys: [],
    }) as fc.Arbitrary<Record<string, string>>,
    body: bodies(operation, insight),
    key: fc.oneof(
      { weight: 12, arbitrary: fc.constant(acme.key) },
      { weight: 1, arbitrary: fc.constantFrom(undefined, 'phx_nobody') },
    ),
    accept: fc.oneof(
      { weight: 12, arbitrary: fc.constant('*/*') },
      { weight: 1, arbitrary: fc.constantFrom('application/json', 'text/csv', 'text/html', 'x') },
    ),
  });
}

function bodies({ requestBody }: Operation, insight?: fc.Arbitrary<object>): fc.Arbitrary<Sent['body']> {
  const declared = requestBody?.content['application/json']?.schema;
  if (declared === undefined) return fc.constant(undefined);
  const made = sent(withoutReferences(declared, document.components.schemas));
  const value = insight === undefined ? made : withQuery(made, insight);
  const json = fc
    .oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: anyJson })
    .map((body) => ({ text: JSON.stringify(body), type: 'application/json' }));
  const form = value.map((body) => ({
    text: typeof body === 'object' && body !== null ? asForm(body) : 'x',
    type: 'application/x-www-form-urlencoded',
  }));
  const junk = fc.record({
    text: fc.string({ unit: 'binary' }),
    type: fc.constantFrom(
      'application/json',
      'multipart/form-data; boundary=x',
      'text/plain',
      'application/x-www-form-urlencoded',
    ),
  });
  return fc.oneof({ weight: 8, arbitrary: json }, { weight: 2, arbitrary: form }, { weight: 1, arbitrary: junk });
}

async function send(method: Method, path: string, { params, query, body, key, accept }: Sent): Promise<Reply> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  const queryText = new URLSearchParams(query).toString();
  const sending = api
    .as(key)
    .send(method, queryText === '' ? filled : `${filled}?${queryText}`)
    .set('Accept', accept);
  return await (body === undefined ? sending : sending.set('Content-Type', body.type).send(body.text));
}

function expectDeclared({ responses }: Operation, { status, headers, body, text }: Reply): void {
  if (status >= 500) throw new Error(`${status}: ${text}`);
  const declared = responses[status];
  if (declared === undefined) throw new Error(`${status} is not declared: ${text}`);
  const types = Object.keys(declared.content ?? {});
  if (types.length === 0) return expect(text ?? '').toBe('');
  const type = headers['content-type']?.split(';')[0] ?? '';
  // A range of types, such as text/*, declares each of them.
  const isDeclared = types.some((one) => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))));
  expect([types, type, isDeclared]).toEqual([types, type, true]);
  if (type !== 'application/json') return;
  const { schema = {} } = declared.content?.[type] ?? {};
  validator(withoutReferences(schema, document.components.schemas))(body);
}

function operationOf(route: Route): { path: string; operation: Operation } {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const operation = document.paths[path]?.[route.method];
  if (operation === undefined) throw new Error(`${path} is not in the document`);
  return { path, operation };
}

describe('whatever is sent, the reply is as documented', () => {
  test.each(routes.map((route) => [route.operationId, route] as const))('%s', async (_name, route) => {
    const { path, operation } = operationOf(route);
    const good = await goodParams(api, acme, route.path);
    const sendToRoute = async (request: Sent): Promise<void> => {
      // A request before this one may have deleted what it is about, or the key that it is made with.
      await restoreKey(api, acme);
      await goodParams(api, acme, route.path);
      expectDeclared(operation, await send(route.method, path, request));
    };
    const property = fc.asyncProperty(requests(operation, good), sendToRoute);
    const numRuns = parametersOf(route.path).length === 0 && !route.body && !route.query ? 5 : runsMax;
    await fc.assert(property, { numRuns });
  });
});

describe('whatever is sent about an insight, the reply is as documented', () => {
  const about = ['create_endpoint', 'update_endpoint', 'run_endpoint', 'run_endpoint_by_get', 'run_query'];
  const operations = routes.filter(({ operationId }) => about.includes(operationId));
  const cases = [...insightKinds.keys()].flatMap((kind) =>
    operations.map((route) => [kind, route.operationId, route] as const),
  );

  test.each(cases)('%s: %s', async (kind, _name, route) => {
    const { path, operation } = operationOf(route);
    const good = { project_id: String(acme.projectId), name: `fuzz-${kind.toLowerCase()}` };
    const query = { kind, ...typicalDefinitions[kind] };
    const property = fc.asyncProperty(requests(operation, good, insightOf(kind)), async (request) => {
      await restoreKey(api, acme);
      // A request before this one may have deleted or changed it.
      const endpoints = `/api/projects/${acme.projectId}/endpoints`;
      await api.as(acme.key).send('post', endpoints).send({ name: good.name, query });
      expectDeclared(operation, await send(route.method, path, request));
    });
    await fc.assert(property, { numRuns: runsMax });
  });
});
