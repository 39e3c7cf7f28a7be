import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

// The promise to clients of PostHog: the list of properties answers as they ask for it (contract/decisions 74). Rows are
// the consumer's: here the test adds them. Who may call is for the generated requests.

interface Definition {
  id: string;
  name: string;
  property_type: string | null;
  is_seen_on_filtered_events: boolean | null;
}
interface Page {
  count: number;
  next: string | null;
  results: Definition[];
}

let api: TestApi;
let acme: Seed;
let other: Seed;
let path: string;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  other = await api.seed('Other');
  path = `/api/projects/${acme.projectId}/property_definitions`;
});

const seen = { firstSeenAt: new Date('2026-01-02T03:04:05Z'), lastSeenAt: new Date('2026-01-03T04:00:00Z') };

async function add(name: string, fields: Record<string, unknown> = {}, { projectId } = acme): Promise<string> {
  const data = { projectId, type: 'event', name, ...seen, ...fields };
  return (await api.prisma.propertyDefinition.create({ data })).id;
}
const meet = (event: string, ...properties: string[]) =>
  api.prisma.eventProperty.createMany({
    data: properties.map((property) => ({ projectId: acme.projectId, event, property })),
  });
const get = async (query = ''): Promise<Page> => (await api.as(acme.key).send<Page>('get', `${path}/?${query}`)).body;
const names = async (query = ''): Promise<string[]> => (await get(query)).results.map(({ name }) => name);
const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value));
const change = (id: string, body: object) =>
  api.as(acme.key).send<Definition & { code: string; attr: string }>('patch', `${path}/${id}/`).send(body);

describe('the list of properties', () => {
  test('a row has all fields of PostHog, and our own: what was met, and what does not fit the type', async () => {
    const id = await add('price', { propertyType: 'Numeric', numbers: 40, texts: 2, objects: 1 });
    const { results } = await get();
    expect(results).toEqual([
      {
        id,
        name: 'price',
        type: 'event',
        group_type_index: null,
        property_type: 'Numeric',
        settled_type: 'Numeric',
        is_numerical: true,
        values: { numbers: 40, booleans: 0, times: 0, texts: 2, lists: 0, objects: 1 },
        unfit_values: 3,
        is_seen_on_filtered_events: null,
        is_optimized: false,
        description: '',
        tags: [],
        verified: false,
        verified_at: null,
        verified_by: null,
        hidden: false,
        first_seen_at: '2026-01-02T03:04:05.000Z',
        last_seen_at: '2026-01-03T04:00:00.000Z',
        updated_at: '2026-01-02T03:04:05.000Z',
        updated_by: null,
      },
    ]);
  });

  test('a list is null in property_type, which PostHog has no word for, and List in settled_type', async () => {
    await add('items', { propertyType: 'List', lists: 20 });
    expect((await get()).results).toMatchObject([{ property_type: null, settled_type: 'List', unfit_values: 0 }]);
  });

  test('of events unless asked for persons or one kind of group; sessions have none', async () => {
    await add('of_event');
    await add('of_person', { type: 'person' });
    await add('of_company', { type: 'group', groupTypeIndex: 0 });
    await add('of_team', { type: 'group', groupTypeIndex: 1 });
    expect(await names()).toEqual(['of_event']);
    expect(await names('type=person')).toEqual(['of_person']);
    expect(await names('type=group&group_type_index=1')).toEqual(['of_team']);
    expect(await get('type=session')).toMatchObject({ count: 0, results: [] });
  });

  test('event_names tell what is seen on them and come first; filter_by_event_names leaves out the others', async () => {
    for (const name of ['a', 'b', 'c', 'nowhere']) await add(name);
    await meet('bought', 'b', 'c');
    await meet('left', 'a');
    const marked = (await get(`event_names=${json(['bought'])}`)).results;
    expect(marked.map((row) => [row.name, row.is_seen_on_filtered_events])).toEqual([
      ['b', true],
      ['c', true],
      ['a', false],
      ['nowhere', false],
    ]);
    expect(await names(`event_names=${json(['bought'])}&filter_by_event_names=true`)).toEqual(['b', 'c']);
    expect(await names(`event_names=${json(['bought', 'left'])}&filter_by_event_names=true`)).toEqual(['a', 'b', 'c']);
    expect(await names('filter_by_event_names=true')).toEqual(['a', 'b', 'c']);
    expect(await names(`event_names=${json([])}&filter_by_event_names=true`)).toEqual([]);
  });

  test('verified ones first, then by name', async () => {
    await add('a');
    await add('b', { verifiedAt: new Date() });
    expect(await names()).toEqual(['b', 'a']);
  });

  test('search, properties, excluded_properties, is_numerical, is_feature_flag, exclude_hidden', async () => {
    await add('price_eur', { propertyType: 'Numeric' });
    await add('priceXeur', { propertyType: 'String' });
    await add('timestamp', { propertyType: 'Numeric' });
    await add('$feature/price', { hidden: true });
    expect(await names('search=E_EUR')).toEqual(['price_eur']);
    expect(await names('search=eur%20PRICE')).toEqual(['price_eur', 'priceXeur'].sort());
    expect(await names('properties=price_eur,timestamp')).toEqual(['price_eur', 'timestamp']);
    expect(await names(`excluded_properties=${json(['price_eur', 'timestamp'])}&exclude_hidden=true`)).toEqual([
      'priceXeur',
    ]);
    expect(await names('is_numerical=true')).toEqual(['price_eur']);
    expect((await names('is_numerical=false')).sort()).toEqual(['$feature/price', 'priceXeur']);
    expect(await names('is_feature_flag=true')).toEqual(['$feature/price']);
    expect(await names('is_feature_flag=false')).not.toContain('$feature/price');
  });

  test('exclude_core_properties drops what SDKs send by themselves, of events alone', async () => {
    for (const name of ['$browser', 'utm_source', 'gclid', 'plan']) await add(name);
    await add('$email', { type: 'person' });
    expect(await names('exclude_core_properties=true')).toEqual(['plan']);
    expect(await names('exclude_core_properties=false')).toHaveLength(4);
    expect(await names('type=person&exclude_core_properties=true')).toEqual(['$email']);
  });

  test('what only tells the consumer something is in no list of events', async () => {
    for (const name of ['$set', '$set_once', '$groups', '$group_0', 'distinct_id', '$session_entry_url', 'plan'])
      await add(name);
    await add('$initial_referrer', { type: 'person' });
    expect(await names()).toEqual(['plan']);
    expect(await names('type=person')).toEqual(['$initial_referrer']);
  });

  test('the call of the MCP server: what it asks for, in pages', async () => {
    for (const name of ['plan', 'seats', '$lib', '$feature/x']) await add(name);
    await add('secret', { hidden: true });
    await meet('bought', 'plan', 'seats', '$lib', 'secret');
    const query = `event_names=${json(['bought'])}&exclude_core_properties=true&filter_by_event_names=true&is_feature_flag=false&limit=1&offset=0&type=event&exclude_hidden=true`;
    const first = await get(query);
    expect([first.count, first.results.map(({ name }) => name)]).toEqual([2, ['plan']]);
    const { pathname, search } = new URL(first.next ?? '');
    const second = (await api.as(acme.key).send<Page>('get', pathname + search)).body;
    expect([second.next, second.results.map(({ name }) => name)]).toEqual([null, ['seats']]);
  });

  test.each([
    ['type=page', 'type'],
    ['type=group', 'group_type_index'],
    ['type=group&group_type_index=5', 'group_type_index'],
    ['type=person&group_type_index=0', 'group_type_index'],
    ['group_type_index=0', 'group_type_index'],
    [`type=person&event_names=${json(['a'])}`, 'event_names'],
    ['event_names=a', 'event_names'],
    [`event_names=${json('a')}`, 'event_names'],
    ['excluded_properties={}', 'excluded_properties'],
    ['is_numerical=7', 'is_numerical'],
    [`search=${'x'.repeat(201)}`, 'search'],
  ])('%s is a 400 on %s', async (query, attr) => {
    const { status, body } = await api.as(acme.key).send('get', `${path}/?${query}`);
    expect([status, body.attr]).toEqual([400, attr]);
  });

  test('one of another project never shows, nor which events carry it', async () => {
    const { projectId } = await api.admin.createProject({ organizationId: acme.organizationId, name: 'Second' });
    const ids = [await add('secret', {}, { ...acme, projectId }), await add('secret', {}, other)];
    await add('own');
    await api.prisma.eventProperty.create({ data: { projectId, event: 'bought', property: 'own' } });
    expect(await names()).toEqual(['own']);
    expect(await names('filter_by_event_names=true')).toEqual([]);
    expect((await get(`event_names=${json(['bought'])}`)).results).toMatchObject([
      { is_seen_on_filtered_events: false },
    ]);
    for (const id of ids) {
      expect((await api.as(acme.key).send('get', `${path}/${id}/`)).status).toBe(404);
      expect((await change(id, { property_type: 'Numeric' })).status).toBe(404);
    }
  });
});

describe('one property', () => {
  test('PATCH sets the type, which queries hear of by the change feed, and is in the activity log', async () => {
    const id = await add('price', { propertyType: 'String', texts: 3, numbers: 4 });
    await api.prisma.$executeRaw`DELETE FROM changes WHERE project_id = ${acme.projectId}`;
    const { status, body } = await change(id, { property_type: 'Numeric', description: 'In euros.' });
    expect([status, body]).toMatchObject([
      200,
      { property_type: 'Numeric', is_numerical: true, unfit_values: 3, description: 'In euros.' },
    ]);
    const changes = await api.prisma
      .$queryRaw`SELECT topic FROM changes WHERE project_id = ${acme.projectId} AND topic = 'property_type'`;
    expect(changes).toEqual([{ topic: 'property_type' }]);
    expect(await api.prisma.activityLogEntry.findMany({ where: { itemId: id } })).toMatchObject([
      {
        itemType: 'property_definition',
        projectId: acme.projectId,
        before: { property_type: 'String', description: '' },
        after: { property_type: 'Numeric', description: 'In euros.' },
      },
    ]);
  });

  test('the next query reads the property by its new type', async () => {
    const id = await add('price', { propertyType: 'String' });
    await api.insertEvents([{ team_id: acme.projectId, properties: { price: 12.5 } }]);
    const query = { kind: 'HogQLQuery', query: 'SELECT properties.price FROM events' };
    const run = async () =>
      (await api.as(acme.key).send('post', `/api/projects/${acme.projectId}/query/`).send({ query })).body.results;
    expect(await run()).toEqual([['12.5']]);
    await change(id, { property_type: 'Numeric' });
    expect(await run()).toEqual([[12.5]]);
    await change(id, { property_type: null });
    expect(await run()).toEqual([['12.5']]);
  });

  test('null leaves the type open: only values from then on settle it again', async () => {
    const id = await add('price', { propertyType: 'String', texts: 3, numbers: 4, lists: 1 });
    expect((await change(id, { property_type: null })).body).toMatchObject({
      property_type: null,
      settled_type: null,
      is_numerical: false,
      values: { numbers: 0, booleans: 0, times: 0, texts: 0, lists: 0, objects: 0 },
    });
    const news = await api.prisma
      .$queryRaw`SELECT keys FROM changes WHERE project_id = ${acme.projectId} AND topic = 'property_type' AND keys <> '{}'`;
    expect(news).toEqual([{ keys: ['event:-1:price'] }]);
    await change(id, { property_type: null });
    expect(await api.prisma.propertyDefinition.findUnique({ where: { id } })).toMatchObject({
      firstValueAt: null,
      reopenings: 2,
    });
  });

  test('PATCH without a type keeps it; List is one of ours; others are refused', async () => {
    const id = await add('items', { propertyType: 'Numeric', numbers: 4 });
    expect((await change(id, { hidden: true })).body).toMatchObject({ property_type: 'Numeric', hidden: true });
    expect((await change(id, { property_type: 'List' })).body).toMatchObject({
      property_type: null,
      settled_type: 'List',
    });
    expect(await change(id, { property_type: 'Duration' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_choice', attr: 'property_type' },
    });
    expect((await change(id, { verified: true, hidden: true })).body).toMatchObject({ attr: 'hidden' });
  });

  test('ids of calls of language models are texts: another type is refused, which queries would not read', async () => {
    const id = await add('$ai_trace_id', { propertyType: 'Numeric' });
    expect(await change(id, { property_type: 'Numeric' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', attr: 'property_type', detail: '$ai_trace_id is always a String.' },
    });
    expect((await change(id, { property_type: 'String' })).body).toMatchObject({ property_type: 'String' });
  });
});
