import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

// The promise to clients of PostHog: the list of events answers as they ask for it (contract/decisions 74). Rows are the
// consumer's: here the test adds them. Who may call is for the generated requests.

interface Definition {
  id: string;
  name: string;
  tags: string[];
  verified: boolean;
  verified_at: string | null;
  hidden: boolean;
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
  path = `/api/projects/${acme.projectId}/event_definitions`;
});

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

async function add(name: string, fields: Record<string, unknown> = {}, { projectId } = acme): Promise<string> {
  const data = { projectId, name, firstSeenAt: daysAgo(90), lastSeenAt: daysAgo(1), ...fields };
  return (await api.prisma.eventDefinition.create({ data })).id;
}
const get = async (query = '', { key } = acme): Promise<Page> =>
  (await api.as(key).send<Page>('get', `${path}/?${query}`)).body;
const names = async (query = ''): Promise<string[]> => (await get(query)).results.map(({ name }) => name);
const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value));
const change = (id: string, body: object, { key } = acme) =>
  api.as(key).send<Definition & { code: string; attr: string }>('patch', `${path}/${id}/`).send(body);

describe('the list of events', () => {
  test('a row has all fields of PostHog, those of its paid plans too, and when it was first seen', async () => {
    const firstSeenAt = new Date('2026-01-02T03:04:05Z');
    const lastSeenAt = new Date('2026-01-03T04:00:00Z');
    const id = await add('signed_up', { firstSeenAt, lastSeenAt });
    expect(await get()).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [
        {
          id,
          name: 'signed_up',
          description: '',
          tags: [],
          verified: false,
          verified_at: null,
          verified_by: null,
          hidden: false,
          first_seen_at: '2026-01-02T03:04:05.000Z',
          created_at: '2026-01-02T03:04:05.000Z',
          last_seen_at: '2026-01-03T04:00:00.000Z',
          last_updated_at: '2026-01-02T03:04:05.000Z',
          updated_at: '2026-01-02T03:04:05.000Z',
          updated_by: null,
          created_by: null,
          owner: null,
          is_action: false,
          action_id: null,
          is_calculating: false,
          last_calculated_at: null,
          post_to_slack: false,
          default_columns: [],
        },
      ],
    });
  });

  test('by the day last seen, then by name; of a search the shortest name first', async () => {
    await add('old', { lastSeenAt: daysAgo(40) });
    await add('b_new');
    await add('a_new_one');
    expect(await names()).toEqual(['a_new_one', 'b_new', 'old']);
    expect(await names('search=NEW')).toEqual(['b_new', 'a_new_one']);
  });

  test('ordering by each column, both ways and several; unknown ones are left out', async () => {
    await add('a', { firstSeenAt: daysAgo(3), lastSeenAt: daysAgo(2) });
    await add('b', { firstSeenAt: daysAgo(9), lastSeenAt: daysAgo(1) });
    expect(await names('ordering=-name')).toEqual(['b', 'a']);
    expect(await names('ordering=last_seen_at')).toEqual(['a', 'b']);
    expect(await names('ordering=-created_at')).toEqual(['a', 'b']);
    expect(await names('ordering=created_at::date')).toEqual(['b', 'a']);
    expect(await names('ordering=event')).toEqual(['b', 'a']);
    expect(await names('ordering=event,name')).toEqual(['a', 'b']);
    expect(await names('ordering=-last_seen_at::date&ordering=name')).toEqual(['b', 'a']);
  });

  test('each word of a search is in the name, in whatever case; % and _ are letters like others', async () => {
    for (const name of ['user signed up', 'USER_LEFT', '100%', 'plain']) await add(name);
    expect(await names('search=up%20User')).toEqual(['user signed up']);
    expect(await names('search=r_l')).toEqual(['USER_LEFT']);
    expect(await names('search=%25')).toEqual(['100%']);
    expect(await names('search=user%20plain')).toEqual([]);
  });

  test('event_type, names, tags, excluded_properties, verified, exclude_hidden, exclude_stale', async () => {
    await add('$pageview');
    await add('bought', { tags: ['web', 'money'], verifiedAt: daysAgo(1) });
    await add('left', { hidden: true, tags: ['app'] });
    await add('stale', { lastSeenAt: daysAgo(31) });
    expect(await names('event_type=event_custom')).toEqual(['bought', 'left', 'stale']);
    expect(await names('event_type=event_posthog')).toEqual(['$pageview']);
    expect(await names('event_type=all')).toHaveLength(4);
    expect(await names('names=bought,left&names=stale')).toEqual(['bought', 'left', 'stale']);
    expect(await names(`tags=${json(['money', 'app'])}`)).toEqual(['bought', 'left']);
    expect(await names(`excluded_properties=${json(['bought', 'stale'])}`)).toEqual(['$pageview', 'left']);
    expect(await names('verified=true')).toEqual(['$pageview', 'bought']);
    expect(await names('verified=false')).toEqual(['left', 'stale']);
    expect(await names('exclude_hidden=true')).toEqual(['$pageview', 'bought', 'stale']);
    expect(await names('exclude_stale=true')).toEqual(['$pageview', 'bought', 'left']);
  });

  test('pages, with links that keep the filters; a page has 1000 rows at most', async () => {
    await api.prisma.eventDefinition.createMany({
      data: Array.from({ length: 1_003 }, (_, at) => ({
        projectId: acme.projectId,
        name: `e${String(at).padStart(4, '0')}`,
        firstSeenAt: daysAgo(2),
        lastSeenAt: daysAgo(1),
      })),
    });
    const first = await get('limit=2&search=e00');
    expect([first.count, first.results.map(({ name }) => name)]).toEqual([100, ['e0000', 'e0001']]);
    const next = await api
      .as(acme.key)
      .send<Page>('get', new URL(first.next ?? '').pathname + new URL(first.next ?? '').search);
    expect(next.body.results.map(({ name }) => name)).toEqual(['e0002', 'e0003']);
    expect((await get()).results).toHaveLength(100);
    const most = await get('limit=5000');
    expect([most.results.length, most.next]).toEqual([1_000, expect.stringContaining('offset=1000')]);
  });

  test.each([
    ['event_type=page', 'event_type'],
    ['tags=web', 'tags'],
    [`tags=${json({ a: 1 })}`, 'tags'],
    [`tags=${json([1])}`, 'tags'],
    ['excluded_properties=[', 'excluded_properties'],
    [`excluded_properties=${json(['\0'])}`, 'excluded_properties'],
    ['verified=perhaps', 'verified'],
    [`search=${'x'.repeat(201)}`, 'search'],
  ])('%s is a 400 on %s', async (query, attr) => {
    const { status, body } = await api.as(acme.key).send('get', `${path}/?${query}`);
    expect([status, String(body.attr).split('__')[0]]).toEqual([400, attr]);
  });

  test('one of another project of the same organization never shows, by whatever name or id', async () => {
    const { projectId } = await api.admin.createProject({ organizationId: acme.organizationId, name: 'Second' });
    const ids = [await add('secret', {}, { ...acme, projectId }), await add('secret', {}, other)];
    await add('own');
    expect(await names()).toEqual(['own']);
    expect(await names('search=secret')).toEqual([]);
    expect(await names('names=secret')).toEqual([]);
    expect((await api.as(acme.key).send('get', `${path}/by_name/?name=secret`)).status).toBe(404);
    for (const id of ids) {
      expect((await api.as(acme.key).send('get', `${path}/${id}/`)).status).toBe(404);
      expect((await change(id, { hidden: true })).status).toBe(404);
    }
    expect(await api.prisma.eventDefinition.count({ where: { id: { in: ids }, hidden: true } })).toBe(0);
  });
});

describe('one event', () => {
  test('by id and by its whole name; neither is found in part', async () => {
    const id = await add("it's 100% / new");
    const byId = await api.as(acme.key).send('get', `${path}/${id}`);
    const byName = await api.as(acme.key).send('get', `${path}/by_name/?name=${encodeURIComponent("it's 100% / new")}`);
    expect([byId.status, byName.body]).toEqual([200, byId.body]);
    expect((await api.as(acme.key).send('get', `${path}/by_name/?name=it`)).body).toMatchObject({
      code: 'not_found',
      detail: 'Not found. This project has no event with the name "it".',
    });
    expect((await api.as(acme.key).send('get', `${path}/by_name/`)).body).toMatchObject({
      code: 'required',
      attr: 'name',
    });
    expect((await api.as(acme.key).send('get', `${path}/17`)).status).toBe(404);
  });

  test('PATCH changes what members write and nothing else, and is in the activity log', async () => {
    const id = await add('bought', { tags: ['old'] });
    const { status, body } = await change(id, {
      name: 'other',
      first_seen_at: '2020-01-01T00:00:00Z',
      description: 'Somebody paid.',
      tags: ['Money ', 'money'],
      verified: true,
    });
    const { id: user, email } = await api.prisma.user.findUniqueOrThrow({ where: { id: acme.userId } });
    expect([status, body]).toMatchObject([
      200,
      {
        id,
        name: 'bought',
        description: 'Somebody paid.',
        tags: ['money'],
        verified: true,
        verified_by: { id: user, email },
        updated_by: { id: user },
        hidden: false,
      },
    ]);
    const [logged] = await api.prisma.activityLogEntry.findMany({
      where: { itemType: 'event_definition', itemId: id },
    });
    expect(logged).toMatchObject({
      projectId: acme.projectId,
      organizationId: acme.organizationId,
      actor: email,
      activity: 'updated',
      before: { description: '', tags: ['old'], verified: false },
      after: { description: 'Somebody paid.', tags: ['money'], verified: true },
    });
    await change(id, {});
    expect(await api.prisma.activityLogEntry.count({ where: { itemId: id } })).toBe(1);
  });

  test('verified and hidden clear each other, and both at once are refused', async () => {
    const id = await add('bought');
    expect((await change(id, { verified: true, hidden: true })).body).toMatchObject({
      code: 'invalid_input',
      attr: 'hidden',
    });
    expect((await change(id, { verified: true })).body).toMatchObject({ verified: true, hidden: false });
    expect((await change(id, { hidden: true })).body).toMatchObject({
      verified: false,
      verified_at: null,
      hidden: true,
    });
    expect((await change(id, { verified: true })).body).toMatchObject({ verified: true, hidden: false });
  });
});

describe('types in TypeScript', () => {
  test('of own events and the properties they carry, of this project alone, without hidden ones', async () => {
    const seen = { firstSeenAt: daysAgo(2), lastSeenAt: daysAgo(1), type: 'event' };
    const property = (name: string, fields: Record<string, unknown> = {}, { projectId } = acme) =>
      api.prisma.propertyDefinition.create({ data: { projectId, name, ...seen, ...fields } });
    await add('bought');
    await add('left');
    await add('$pageview');
    await add('hidden', { hidden: true });
    await add('SECRET', {}, other);
    await property('price', { propertyType: 'Numeric' });
    await property('price', { type: 'person', propertyType: 'String' });
    await property('utm_source');
    await property('$browser');
    await property('internal', { hidden: true });
    await property('SECRET', {}, other);
    await api.prisma.eventProperty.createMany({
      data: [
        ...['price', 'utm_source', '$browser', 'internal'].map((name) => [acme.projectId, name] as const),
        [other.projectId, 'SECRET'] as const,
      ].map(([projectId, name]) => ({ projectId, event: 'bought', property: name })),
    });
    const { status, body } = await api.as(acme.key).send<Record<string, unknown>>('get', `${path}/typescript/`);
    expect([status, body]).toEqual([
      200,
      {
        content: expect.stringContaining(
          'EventSchemas {\n  "bought": {\n    "price"?: number;\n  };\n  "left": Record<string, unknown>;\n}\n',
        ),
        event_count: 2,
        schema_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        generator_version: '1.0.0',
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('SECRET');
  });
});
