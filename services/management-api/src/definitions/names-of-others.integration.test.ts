import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../test/test-api.ts';

// The promise: names of another project never appear, of the same organization or of another one: in lists, types, schema,
// suggestions, hints and errors (contract/decisions 74).

const secret = 'zq_secret_total';
const near = 'zq_secret_totl';
const owners = [
  { type: 'event' },
  { type: 'person' },
  ...[0, 1, 2, 3, 4].map((groupTypeIndex) => ({ type: 'group', groupTypeIndex })),
];
const seen = { firstSeenAt: new Date(Date.now() - 3_600_000), lastSeenAt: new Date() };

let api: TestApi;
let acme: Seed;
let holders: number[];
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  const sibling = await api.admin.createProject({ organizationId: acme.organizationId, name: 'Sibling' });
  holders = [sibling.projectId, (await api.seed('Other')).projectId];
  for (const projectId of holders) await addNames(projectId, secret);
  await addNames(acme.projectId, 'own');
});
afterAll(() => api?.stop());

async function addNames(projectId: number, name: string): Promise<void> {
  await api.prisma.eventDefinition.create({ data: { projectId, name, ...seen } });
  await api.prisma.propertyDefinition.createMany({
    data: owners.map((owner) => ({ projectId, name, propertyType: 'Numeric', ...seen, ...owner })),
  });
  await api.prisma.eventProperty.create({ data: { projectId, event: name, property: name } });
}

async function textOf(method: 'get' | 'post', path: string, body?: object): Promise<string> {
  const sending = api.as(acme.key).send(method, `/api/projects/${acme.projectId}/${path}`);
  const { status, text } = await (body === undefined ? sending : sending.send(body));
  return `${status} ${text}`;
}
const textOfQuery = (query: string): Promise<string> =>
  textOf('post', 'query/', { query: { kind: 'HogQLQuery', query } });

test.each([
  'event_definitions/',
  'event_definitions/?search=zq',
  `event_definitions/?names=${secret.slice(0, 5)}`,
  'event_definitions/typescript/',
  `event_definitions/by_name/?name=${near}`,
  ...['event', 'person'].map((type) => `property_definitions/?type=${type}`),
  ...[0, 1, 2, 3, 4].map((index) => `property_definitions/?type=group&group_type_index=${index}`),
  'property_definitions/?filter_by_event_names=true',
  'property_definitions/?search=zq&is_numerical=true',
  'query/schema/',
])('GET %s', async (path) => {
  expect(await textOf('get', path)).not.toContain(secret);
});

test('lists of its own names are not empty', async () => {
  for (const path of ['event_definitions/', 'property_definitions/?type=person', 'query/schema/'])
    expect([path, await textOf('get', path)]).toEqual([path, expect.stringMatching(/^200 .*"own"/s)]);
});

const properties = ['properties', 'person.properties', 'group_0.properties', 'group_4.properties'];
test.each([
  `SELECT ${properties.map((of, at) => `${of}.${near} AS p${at}`).join(', ')} FROM events`,
  `SELECT count() FROM events WHERE event IN ('${near}', 'ovn')`,
  `SELECT properties.${near} FROM persons`,
  `SELECT ${near} FROM events`,
  `SELECT count() FROM events WHERE event = ${near}`,
  'DESCRIBE events',
  'DESCRIBE persons',
  // Compiled in the thread of large queries.
  `SELECT properties.${near} FROM events WHERE event = '${near}' OR event IN (${"'a', ".repeat(2_000)}'b')`,
])('a query: %.60s', async (query) => {
  expect(await textOfQuery(query)).not.toContain(secret);
});

test('suggestions are of its own names', async () => {
  expect(await textOfQuery("SELECT properties.ovn FROM events WHERE event = 'ovn'")).toMatch(
    /`own` has.*`own` is one/s,
  );
});

test('the schema that editors ask for as a query', async () => {
  expect(await textOf('post', 'query/', { query: { kind: 'DatabaseSchemaQuery' } })).not.toContain(secret);
});
