import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { hashKey } from '../../auth/key-hash.ts';
import type { ManagementApi } from '../../app.ts';
import { addMember } from '../../test/invite-world.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

let api: TestApi;
let second: ManagementApi;
let acme: Seed;
let other: Seed;
let base: string;
let made = 0;

beforeAll(async () => {
  api = await startTestApi();
  // The second has no more rights than it has in production.
  const url = new URL(api.databaseUrl);
  url.searchParams.set('options', `-c role=${postgresRoles.management}`);
  second = await api.startProcess({ DATABASE_URL: url.href });
  [acme, other] = [await api.seed('Acme'), await api.seed('Other')];
  base = `/api/projects/${acme.projectId}/endpoints`;
  const seen = { firstSeenAt: new Date(), lastSeenAt: new Date() };
  await api.prisma.eventDefinition.create({ data: { projectId: acme.projectId, name: 'secret_launch', ...seen } });
  await api.insertEvents(
    ['ours', 'theirs', 'theirs'].map((customer) => ({
      team_id: acme.projectId,
      event: 'paid',
      properties: { customer, plan: 'pro' },
    })),
  );
});
afterAll(() => api?.stop());

const send = (
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  body?: object,
  key = acme.key,
  process: ManagementApi = api.api,
) => {
  const sending = api.as(key, process).send<{
    value: string;
    id: string;
    detail: string;
    attr: string;
    code: string;
    results: unknown[];
    warnings: unknown[];
    open_variables: string[];
    query: unknown;
    version: unknown;
    count: number;
  }>(method, path);
  return body === undefined ? sending : sending.send(body);
};

const sql =
  'SELECT count() FROM events WHERE properties.customer = {variables.customer} AND properties.plan = {variables.plan}';
const variables = {
  a: { code_name: 'customer', type: 'String' },
  b: { code_name: 'plan', type: 'String', value: 'pro' },
};

async function save(query = sql): Promise<string> {
  const name = `t${made++}`;
  expect((await send('post', base, { name, query: { kind: 'HogQLQuery', query, variables } })).status).toBe(201);
  return name;
}
async function tokenOf(
  name: string,
  more: object = { variables: { customer: 'ours' } },
): Promise<{ value: string; id: string }> {
  const { status, body } = await send('post', `${base}/${name}/tokens`, { label: 'Page', ...more });
  expect([status, body.detail]).toEqual([201, undefined]);
  return body;
}
const run = (name: string, token: string, body: object = {}, process?: ManagementApi) =>
  send('post', `${base}/${name}/run`, body, token, process);

describe('a run token (contract/endpoints 4.9)', () => {
  test('is shown once, stored as a hash, listed masked, and written down without its value', async () => {
    const name = await save();
    const { status, body } = await send('post', `${base}/${name}/tokens`, {
      label: 'Page',
      variables: { customer: 'ours' },
      runs_per_minute: 5,
      formats: ['csv'],
      rows_max: 9,
      expires_at: '2999-01-01T00:00:00Z',
    });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        label: 'Page',
        value: expect.stringMatching(/^phr_\w{40,}$/),
        mask_value: expect.stringMatching(/^phr_\.\.\.\w{4}$/),
        version: null,
        variables: { customer: 'ours' },
        runs_per_minute: 5,
        formats: ['csv'],
        rows_max: 9,
        may_refresh: false,
        expires_at: '2999-01-01T00:00:00.000Z',
        created_at: expect.any(String),
        created_by: expect.objectContaining({ id: acme.userId }),
        open_variables: ['plan'],
        warnings: [],
      },
    ]);
    const { open_variables: _open, warnings: _warnings, ...listed } = body;
    expect((await send('get', `${base}/${name}/tokens`)).body.results).toEqual([{ ...listed, value: null }]);
    const stored = await api.prisma.endpointToken.findUniqueOrThrow({ where: { id: body.id } });
    expect(stored.secureValue).toBe(hashKey(body.value));
    const [entry] = await api.prisma.activityLogEntry.findMany({ where: { itemId: body.id } });
    expect(entry).toMatchObject({
      itemType: 'endpoint_token',
      activity: 'created',
      projectId: acme.projectId,
      after: { endpoint: name, label: 'Page' },
    });
    expect(JSON.stringify([stored, entry?.after])).not.toContain(body.value.slice(6));
    const { id } = await tokenOf(name);
    await tokenOf(await save());
    const ids = async (query: string) =>
      (await send('get', `${base}/${name}/tokens${query}`)).body.results.map((token) => (token as { id: string }).id);
    expect([await ids(''), await ids('?limit=1'), await ids('?limit=1&offset=1')]).toEqual([
      [id, body.id],
      [id],
      [body.id],
    ]);
  });

  test('runs its endpoint, by POST and GET and in its formats, with the pinned values and others of the caller’s', async () => {
    const name = await save();
    const { value } = await tokenOf(name, { variables: { customer: 'ours' }, formats: ['csv'] });
    const posted = await run(name, value, { variables: { plan: 'pro' }, limit: 1 });
    expect([posted.status, posted.body.results, posted.body.query]).toEqual([200, [[1]], null]);
    expect((await run(name, value, { variables: { plan: 'free' } })).body.results).toEqual([[0]]);
    const got = await send('get', `${base}/${name}/run?variables[plan]=pro`, undefined, value);
    expect([got.status, got.body.results, got.headers['vary']]).toEqual([
      200,
      [[1]],
      expect.stringContaining('Authorization'),
    ]);
    expect((await send('get', `${base}/${name}/run?personal_api_key=${value}`, undefined, '')).body.results).toEqual([
      [1],
    ]);
    expect(
      (await send('get', `${base}/${name}/run?format=csv`, undefined, value)).text.trim().split('\n').at(-1)?.trim(),
    ).toBe('1');
    const raw = await send('get', `${base}/${name}/run?format=csv&csv=raw`, undefined, value);
    expect([raw.status, raw.body.attr]).toEqual([400, 'csv']);
  });

  test.each<[string, object, string]>([
    ['a pinned variable', { variables: { customer: 'theirs' } }, 'variables'],
    ['a pinned variable, as it is', { variables: { customer: 'ours' } }, 'variables'],
    ['a variable that there is not', { variables: { other: 1 } }, 'variables'],
    ['a version', { version: 1 }, 'version'],
    ['the SQL', { debug: true }, 'debug'],
    ['work for ClickHouse', { refresh: 'force' }, 'refresh'],
    ['filters', { filters_override: { date_from: '-1d' } }, 'filters_override'],
  ])('cannot request %s', async (_what, body, attr) => {
    const name = await save();
    const { value } = await tokenOf(name);
    const reply = await run(name, value, body);
    expect([reply.status, reply.body.attr]).toEqual([400, attr]);
  });

  test('reads the rows of now where its maker allowed that, pages too; it keeps them for all', async () => {
    const name = await saveNumbers();
    const { value } = await tokenOf(name, { may_refresh: true });
    const cached = async (body: object) =>
      ((await run(name, value, body)).body as unknown as { is_cached: boolean }).is_cached;
    expect([await cached({}), await cached({}), await cached({ refresh: 'force' }), await cached({})]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    const page = { limit: 5, offset: 10 };
    expect([await cached(page), await cached({ ...page, refresh: 'force' }), await cached({ limit: 1 })]).toEqual([
      false,
      false,
      true,
    ]);
    const direct = await run(name, value, { refresh: 'direct' });
    expect([direct.status, direct.body.attr]).toEqual([400, 'refresh']);
    expect((await send('get', `${base}/${name}/tokens`)).body.results).toEqual([
      expect.objectContaining({ may_refresh: true }),
    ]);
  });

  test.each([
    ['none', {}, ['csv', 'ndjson']],
    ['others', { formats: ['ndjson', 'objects'] }, ['csv']],
  ])('streams in no format that its maker did not allow: %s', async (_which, more, refused) => {
    const name = await save();
    const { value } = await tokenOf(name, { variables: { customer: 'ours' }, ...more });
    const base = `/api/projects/${acme.projectId}/endpoints/${name}/run`;
    for (const format of refused) {
      for (const method of ['get', 'post'] as const) {
        const reply = await send(method, `${base}?format=${format}`, method === 'post' ? {} : undefined, value);
        expect([method, format, reply.status, reply.body.attr]).toEqual([method, format, 400, 'format']);
      }
    }
    for (const format of ['json', 'objects'])
      expect([format, (await send('post', `${base}?format=${format}`, {}, value)).status]).toEqual([format, 200]);
    expect((await send('get', base, undefined, value).set('Accept', 'text/csv')).status).toBe(400);
    expect((await send('post', `${base}?format=csv`, { variables: { customer: 'ours' } })).status).toBe(200);
  });

  async function saveNumbers(): Promise<string> {
    const name = `t${made++}`;
    await send('post', base, {
      name,
      query: { kind: 'HogQLQuery', query: 'SELECT number FROM numbers(2500) ORDER BY number' },
    });
    return name;
  }
  type Page = { results: number[][]; is_cached: boolean; hasMore: boolean; limit?: number; offset?: number };

  test('its pages are cut out of a few results, so that a stranger cannot cause a query for each', async () => {
    const name = await saveNumbers();
    const { value } = await tokenOf(name, {});
    const page = async (limit: number, offset: number) =>
      (await run(name, value, { limit, offset })).body as unknown as Page;
    const executed: boolean[] = [];
    for (const [limit, offset] of [
      [10, 0],
      [1, 0],
      [7, 3],
      [30, 70],
      [200, 0],
      [1, 999],
      [900, 99],
      [1500, 1],
      [100, 2450],
      [2, 2498],
      [3, 2499],
      [5, 4000],
      [100_000, 2],
    ] as const) {
      const { results, is_cached, hasMore, ...requested } = await page(limit, offset);
      executed.push(!is_cached);
      const expected = Array.from({ length: 2500 }, (_, number) => [number]).slice(offset, offset + limit);
      expect([limit, offset, results, hasMore, requested.limit, requested.offset]).toEqual([
        limit,
        offset,
        expected,
        offset + limit < 2500,
        limit,
        offset,
      ]);
    }
    // Results are computed of the first 100 rows, of the first 1,000, of the first 10,000, of all.
    expect(executed.map((isComputed, index) => (isComputed ? index : -1)).filter((index) => index >= 0)).toEqual([
      0, 4, 7, 12,
    ]);
    const tags = await Promise.all(
      ['limit=1', 'limit=2', 'limit=1&offset=1'].map(
        async (query) => (await send('get', `${base}/${name}/run?${query}`, undefined, value)).headers['etag'],
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test('its pages end where one reply would', async () => {
    const name = await saveNumbers();
    const { value } = await tokenOf(name, {});
    const behind = await run(name, value, { limit: 1, offset: 50_000 });
    expect([behind.status, behind.body.attr]).toEqual([400, 'offset']);
  });

  test('it shows the first rows that its maker allowed, in every way', async () => {
    const name = await saveNumbers();
    const { value } = await tokenOf(name, { rows_max: 20, formats: ['csv', 'json'] });
    const all = (await run(name, value)).body as unknown as Page;
    expect([all.results.length, all.results.at(-1), all.hasMore]).toEqual([20, [19], true]);
    expect(((await run(name, value, { limit: 5, offset: 15 })).body as unknown as Page).results.at(-1)).toEqual([19]);
    for (const [body, attr] of [
      [{ limit: 21 }, 'limit'],
      [{ limit: 6, offset: 15 }, 'limit'],
      [{ limit: 1, offset: 20 }, 'offset'],
    ] as const) {
      for (const path of [`${base}/${name}/run`, `${base}/${name}/run?format=csv`]) {
        const reply = await send('post', path, body, value);
        expect([path, reply.status, reply.body.attr]).toEqual([path, 400, attr]);
      }
    }
    expect((await send('post', `${base}/${name}/run?format=csv`, {}, value)).text.trim().split('\n')).toHaveLength(21);
    expect((await send('post', `${base}/${name}/run?format=json`, {}, value)).body.results).toHaveLength(20);
  });

  test('names the variables that are not pinned, and warns of those that select a person', async () => {
    const name = await save(
      'SELECT count() FROM events WHERE distinct_id = {variables.customer} AND properties.plan = {variables.plan}',
    );
    const made = async (pinned: object) =>
      (await send('post', `${base}/${name}/tokens`, { label: 'Page', variables: pinned })).body;
    expect(await made({ plan: 'pro' })).toMatchObject({
      open_variables: ['customer'],
      warnings: [{ code: 'open_person_variable', message: expect.stringContaining('customer') }],
    });
    expect(await made({ customer: 'd' })).toMatchObject({ open_variables: ['plan'], warnings: [] });
  });

  test('gets warnings without the query and without pinned values', async () => {
    const name = await save(
      "SELECT count() FROM events WHERE toString(person_id) != '' AND person_id = {variables.customer} AND {variables.plan} != ''",
    );
    const { value } = await tokenOf(name, { variables: { customer: 'ours' }, formats: ['csv'] });
    const expected = [
      {
        code: 'no_uuid',
        message: 'A value that is not a UUID is compared with a UUID, or converted to one: it equals none.',
      },
    ];
    expect((await run(name, value, { variables: { plan: 'pro' } })).body.warnings).toEqual(expected);
    const csv = await send('get', `${base}/${name}/run?format=csv&plan=pro`, undefined, value);
    expect(JSON.parse(csv.headers['x-warnings'] ?? '')).toEqual(expected);
  });

  test('gets no warning of unknown names: an open variable could try which names the project has', async () => {
    const name = await save(
      "SELECT count() FROM events WHERE event = {variables.plan} AND properties[{variables.customer}] = '1' AND person_id != 'user_5'",
    );
    const { value } = await tokenOf(name, { variables: { customer: 'plan' }, formats: ['csv'] });
    const given = { variables: { plan: 'secret_lunch' } };
    const known = (reply: { body: { warnings: unknown[] } }): unknown[] =>
      reply.body.warnings.map((warning) => (warning as { code: string }).code);
    const ofKey = await send('post', `${base}/${name}/run`, { variables: { plan: 'secret_lunch', customer: 'plan' } });
    expect(known(ofKey).sort()).toEqual(['no_uuid', 'unknown_event']);
    expect(JSON.stringify(ofKey.body.warnings)).toContain('`secret_launch` is one');
    expect(known(await run(name, value, given))).toEqual(['no_uuid']);
    const csv = await send('get', `${base}/${name}/run?format=csv&plan=secret_lunch`, undefined, value);
    expect(csv.headers['x-warnings']).not.toContain('unknown');
  });

  test('cannot change a pinned variable in the URL either', async () => {
    const name = await save();
    const { value } = await tokenOf(name);
    for (const query of [
      'variables[customer]=theirs',
      'customer=theirs',
      `variables=${encodeURIComponent('{"customer":"theirs"}')}`,
      'variables[customer]=ours&variables[customer]=theirs',
    ]) {
      expect((await send('get', `${base}/${name}/run?${query}`, undefined, value)).status).toBe(400);
      expect((await send('post', `${base}/${name}/run?${query}`, {}, value)).status).toBe(400);
    }
  });

  test('runs the version that it was made for, whatever becomes the newest', async () => {
    const name = await save();
    const { value } = await tokenOf(name, { version: 1, variables: { customer: 'ours' } });
    const { value: ofTheNewest } = await tokenOf(name);
    expect(
      (await send('patch', `${base}/${name}`, { query: { kind: 'HogQLQuery', query: 'SELECT event FROM events' } }))
        .status,
    ).toBe(200);
    expect((await run(name, value)).body.results).toEqual([[1]]);
    expect((await run(name, value, { version: 1 })).body.results).toEqual([[1]]);
    expect((await run(name, value, { version: 2 })).status).toBe(400);
    // A query that has no use for what is pinned would show everybody's rows.
    const open = await run(name, ofTheNewest);
    expect([open.status, open.body.attr]).toEqual([400, 'variables']);
    // Its values are those of that version, which the newest may not have.
    expect(
      (await run(name, (await tokenOf(name, { version: 1, variables: { customer: 'theirs' } })).value)).body.results,
    ).toEqual([[2]]);
  });

  test.each<[object, string]>([
    [{ variables: { gone: 1 } }, 'variables'],
    [{ variables: { customer: ['a'] } }, 'variables'],
    [{ version: 7 }, 'version'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ runs_per_minute: 0 }, 'runs_per_minute'],
    [{ formats: ['xml'] }, 'formats__0'],
    [{ rows_max: 0 }, 'rows_max'],
    [{ label: '' }, 'label'],
    [{ label: 'a\u001b[2J' }, 'label'],
  ])('is not made with %j', async (more, attr) => {
    const reply = await send('post', `${base}/${await save()}/tokens`, { label: 'Page', ...more });
    expect([reply.status, reply.body.attr]).toEqual([400, attr]);
  });

  test.each<[string, object, number]>([
    ['for ever', {}, 403],
    ['for ever, said so', { expires_at: null }, 403],
    ['for longer', { expires_at: '2998-01-01T00:00:01Z' }, 403],
    ['for as long', { expires_at: '2998-01-01T00:00:00Z' }, 201],
  ])('made by a key that ends, it ends no later: %s', async (_howLong, more, status) => {
    const { key } = await api.admin.createKey({
      email: acme.email,
      scopes: ['endpoint:write'],
      expiresAt: new Date('2998-01-01T00:00:00Z'),
    });
    const name = await save();
    const reply = await send('post', `${base}/${name}/tokens`, { label: 'Page', ...more }, key);
    expect([reply.status, reply.body.attr]).toEqual([status, status === 403 ? 'expires_at' : undefined]);
    expect((await send('get', `${base}/${name}/tokens`)).body.count).toBe(status === 403 ? 0 : 1);
  });

  test('opens no other endpoint, no other project and nothing else, and does not show whether they exist', async () => {
    const [name, another] = [await save(), await save()];
    const { value } = await tokenOf(name);
    const theirs = `/api/projects/${other.projectId}/endpoints`;
    await send('post', theirs, { name, query: { kind: 'HogQLQuery', query: 'SELECT 1' } }, other.key);
    const refusals = [
      `${base}/${another}/run`,
      `${base}/there-is-none/run`,
      `${theirs}/${name}/run`,
      `/api/projects/@current/endpoints/${name}/run`,
      `${base}/${name.toUpperCase()}/run`,
    ];
    const replies = await Promise.all(refusals.map((path) => send('post', path, {}, value)));
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.detail}`))).toEqual(
      new Set(['403 This token can run only one endpoint, and this is another one.']),
    );
    for (const path of [
      base,
      `${base}/${name}`,
      `${base}/${name}/logs`,
      `${base}/${name}/stats`,
      `${base}/${name}/openapi.json`,
      `${base}/${name}/tokens`,
      '/api/users/@me',
      '/api/personal_api_keys/@current',
    ]) {
      expect([path, (await send('get', path, undefined, value)).status]).toEqual([path, 401]);
    }
    expect(
      (
        await send(
          'post',
          `/api/projects/${acme.projectId}/query`,
          { query: { kind: 'HogQLQuery', query: 'SELECT 1' } },
          value,
        )
      ).status,
    ).toBe(401);
    expect((await send('delete', `/api/projects/${acme.projectId}/query/x`, undefined, value)).status).toBe(401);
    // Nor does anybody find, or revoke, the token of another project's endpoint of the same name.
    const { id } = (await send('post', `${theirs}/${name}/tokens`, { label: 'T' }, other.key)).body;
    expect((await send('delete', `${base}/${name}/tokens/${id}`)).status).toBe(404);
    expect((await send('delete', `${base}/${another}/tokens/${(await tokenOf(name)).id}`)).status).toBe(404);
  });

  test('has a rate of its own, and an end', async () => {
    const name = await save();
    const { value, id } = await tokenOf(name, { variables: { customer: 'ours' }, runs_per_minute: 2 });
    const statuses = [await run(name, value), await run(name, value), await run(name, value)];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(statuses[2]?.headers['retry-after'])).toBeGreaterThan(0);
    const { value: later } = await tokenOf(name, { variables: { customer: 'ours' }, runs_per_minute: 1 });
    expect([(await run(name, later)).status, (await run(name, later)).status]).toEqual([200, 429]);
    await api.prisma.endpointToken.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
    await eventually(
      async () => {
        const { status, body } = await run(name, value);
        expect([status, body.detail]).toEqual([401, expect.stringMatching(/is invalid\. It expired at 20\S+Z\.$/)]);
      },
      { deadlineMs: 1_000 },
    );
  });

  test('has the rate of keys beside it, where there is one', async () => {
    const slow = await api.startProcess({ API_THROTTLES: 'true', API_THROTTLE_PER_MINUTE: '1' });
    const name = await save();
    const { value } = await tokenOf(name);
    expect([(await run(name, value, {}, slow)).status, (await run(name, value, {}, slow)).status]).toEqual([200, 429]);
    await slow.stop();
  });

  test('is distinguished from keys in query_log', async () => {
    const name = await save();
    const { value, id } = await tokenOf(name);
    await run(name, value);
    await eventually(async () => {
      const query = `SELECT is_personal_api_key_request, api_key_id FROM query_log WHERE name = '${name}'`;
      expect(
        (await send('post', `/api/projects/${acme.projectId}/query`, { query: { kind: 'HogQLQuery', query } })).body
          .results,
      ).toEqual([[false, id]]);
    });
  });
});

describe('within a second a token is worth nothing in every process', () => {
  test.each<[string, (name: string, id: string) => PromiseLike<unknown>, status: number]>([
    [
      'when it is revoked',
      (name, id) => send('delete', `${base}/${name}/tokens/${id}`, undefined, acme.key, second),
      401,
    ],
    ['when its endpoint is deleted', (name) => send('delete', `${base}/${name}`, undefined, acme.key, second), 401],
    [
      'when its endpoint is deleted by PATCH',
      (name) => send('patch', `${base}/${name}`, { deleted: true }, acme.key, second),
      401,
    ],
    [
      'at the old name when its endpoint is renamed',
      (name) => send('patch', `${base}/${name}`, { name: `${name}-renamed` }, acme.key, second),
      403,
    ],
    [
      'when its endpoint is switched off',
      (name) => send('patch', `${base}/${name}`, { is_active: false }, acme.key, second),
      404,
    ],
  ])('%s', async (_when, change, status) => {
    const name = await save();
    const { value, id } = await tokenOf(name);
    const both = async () =>
      (await Promise.all([run(name, value), run(name, value, {}, second)])).map((reply) => reply.status);
    for (let time = 0; time < 2; time++) expect(await both()).toEqual([200, 200]);
    await change(name, id);
    await eventually(async () => expect(await both()).toEqual([status, status]), { deadlineMs: 1_000, intervalMs: 5 });
  });

  test('when its project is deleted', async () => {
    const { projectId, key } = await api.seed('Deleted');
    const path = `/api/projects/${projectId}`;
    await send('post', `${path}/endpoints`, { name: 'n', query: { kind: 'HogQLQuery', query: 'SELECT 1' } }, key);
    const { value } = (await send('post', `${path}/endpoints/n/tokens`, { label: 'Page' }, key)).body;
    const both = async () =>
      (
        await Promise.all([
          send('post', `${path}/endpoints/n/run`, {}, value),
          send('post', `${path}/endpoints/n/run`, {}, value, second),
        ])
      ).map((reply) => reply.status);
    for (let time = 0; time < 2; time++) expect(await both()).toEqual([200, 200]);
    expect((await send('delete', path, undefined, key, second)).status).toBe(204);
    await eventually(async () => expect(await both()).toEqual([401, 401]), { deadlineMs: 1_000, intervalMs: 5 });
  });

  test('when it is revoked, which is in the log of changes', async () => {
    const name = await save();
    const { id } = await tokenOf(name);
    expect((await send('delete', `${base}/${name}/tokens/${id.toUpperCase()}`)).status).toBe(204);
    expect((await send('delete', `${base}/${name}/tokens/${id}`)).status).toBe(404);
    const entries = await api.prisma.activityLogEntry.findMany({ where: { itemId: id, activity: 'deleted' } });
    expect(entries).toMatchObject([
      {
        itemType: 'endpoint_token',
        projectId: acme.projectId,
        before: { endpoint: name, label: 'Page', variables: { customer: 'ours' } },
      },
    ]);
  });

  test('an endpoint that is deleted takes its tokens along, and a new one of its name has none', async () => {
    const name = await save();
    const { id, value } = await tokenOf(name);
    await send('delete', `${base}/${name}`);
    expect(await api.prisma.endpointToken.count({ where: { id } })).toBe(0);
    await send('post', base, { name, query: { kind: 'HogQLQuery', query: 'SELECT 1' } });
    expect((await run(name, value)).status).toBe(401);
    expect((await send('get', `${base}/${name}/tokens`)).body.count).toBe(0);
  });
});

describe('a token is worth what its maker may do, in every process', () => {
  interface Maker {
    userId: number;
    userUuid: string;
    email: string;
    key: string;
    statuses: () => Promise<number[]>;
    tokenId: string;
  }
  /** A plain member who has made a token of an endpoint of Acme's. */
  async function maker(firstName: string): Promise<Maker> {
    const name = await save();
    const member = await addMember(api, acme, firstName, 1);
    const { value, id } = (
      await send('post', `${base}/${name}/tokens`, { label: 'Page', variables: { customer: 'ours' } }, member.key)
    ).body;
    const statuses = async () =>
      (await Promise.all([run(name, value), run(name, value, {}, second)])).map(({ status }) => status);
    for (let time = 0; time < 2; time++) expect(await statuses()).toEqual([200, 200]);
    return { ...member, statuses, tokenId: id };
  }
  const assertStatus = ({ statuses }: Maker, status: number) =>
    eventually(async () => expect(await statuses()).toEqual([status, status]), { deadlineMs: 1_000, intervalMs: 5 });
  const members = () => `/api/organizations/${acme.organizationId}/members`;

  test.each<[string, (made: Maker) => [path: string, key: string]]>([
    ['is removed', ({ userUuid }) => [`${members()}/${userUuid}`, acme.key]],
    ['leaves', ({ key }) => [`${members()}/@me`, key]],
  ])('its maker %s: it ends for good, and the log records that', async (how, pathOf) => {
    const made = await maker(how.replace(' ', ''));
    const [path, key] = pathOf(made);
    expect((await send('delete', path, undefined, key)).status).toBe(204);
    await assertStatus(made, 401);
    const [entry] = await api.prisma.activityLogEntry.findMany({
      where: { itemType: 'endpoint_token', itemId: made.tokenId, activity: 'deleted' },
    });
    expect(entry).toMatchObject({
      organizationId: acme.organizationId,
      projectId: acme.projectId,
      before: { label: 'Page' },
    });
    await api.prisma.membership.create({
      data: { id: crypto.randomUUID(), organizationId: acme.organizationId, userId: made.userId, level: 8 },
    });
    await assertStatus(made, 401);
  });

  test('one that is made while its maker is removed does not live on', async () => {
    const made = await maker('Racer');
    const kept = await api.prisma.endpointToken.findUniqueOrThrow({ where: { id: made.tokenId } });
    await send('delete', `${members()}/${made.userUuid}`);
    // The other process learns of the removal within a second: from then on only the row that is made below could answer.
    await assertStatus(made, 401);
    await api.prisma.endpointToken.create({ data: { ...kept, variables: {} } });
    expect(await made.statuses()).toEqual([401, 401]);
  });

  test('its maker is switched off: it is worth nothing until they are switched on again', async () => {
    const made = await maker('Switched');
    await api.admin.updateUser({ email: made.email, isActive: false });
    await assertStatus(made, 401);
    await api.admin.updateUser({ email: made.email, isActive: true });
    await assertStatus(made, 200);
  });

  test('its maker is let out of its private project: it is worth nothing, and nothing else is lost', async () => {
    const made = await maker('Private');
    const guest = { projectId: acme.projectId, userId: made.userId };
    await api.admin.updateProject({ projectId: acme.projectId, isPrivate: true });
    await assertStatus(made, 401);
    await api.prisma.projectAccess.create({ data: { ...guest, level: 'member' } });
    await assertStatus(made, 200);
    await api.prisma.projectAccess.update({ where: { projectId_userId: guest }, data: { level: 'none' } });
    await assertStatus(made, 401);
    await api.admin.updateProject({ projectId: acme.projectId, isPrivate: false });
    await assertStatus(made, 200);
  });

  test('its maker is gone: so is what it opened', async () => {
    const made = await maker('Gone');
    await api.prisma.user.delete({ where: { id: made.userId } });
    await assertStatus(made, 401);
  });

  test('replies that roll, show or revoke the key list the tokens that it made', async () => {
    const name = await save();
    const { key, id } = await api.admin.createKey({ email: acme.email, scopes: ['*'] });
    await tokenOf(name);
    const token = (
      await send('post', `${base}/${name}/tokens`, { label: 'Made by it', variables: { customer: 'ours' } }, key)
    ).body;
    const shown = {
      id: token.id,
      label: 'Made by it',
      mask_value: expect.stringMatching(/^phr_/),
      project_id: acme.projectId,
      endpoint: name,
      created_at: expect.any(String),
      expires_at: null,
    };
    const [looked, rolled] = [
      await send('get', `/api/personal_api_keys/${id}`),
      await send('post', `/api/personal_api_keys/${id}/roll`),
    ];
    for (const reply of [looked, rolled])
      expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ run_tokens: [shown] })]);
    expect((await send('get', '/api/personal_api_keys/@current', undefined, rolled.body.value)).body).toMatchObject({
      run_tokens: [shown],
    });
    expect((await run(name, token.value)).status).toBe(200);
    expect(await api.admin.revokeKey({ id })).toEqual({ id, email: acme.email, runTokens: [shown] });
  });

  test('a narrowed key no longer lists the tokens that it made elsewhere', async () => {
    const name = await save();
    const other = await api.admin.createProject({ organizationId: acme.organizationId, name: 'Other' });
    const otherBase = `/api/projects/${other.projectId}/endpoints`;
    expect(
      (await send('post', otherBase, { name: 'secret-name', query: { kind: 'HogQLQuery', query: 'SELECT 1' } })).status,
    ).toBe(201);
    const { key, id } = await api.admin.createKey({ email: acme.email, scopes: ['*'] });
    const here = (await send('post', `${base}/${name}/tokens`, { label: 'Here', variables: { customer: 'ours' } }, key))
      .body;
    const there = (await send('post', `${otherBase}/secret-name/tokens`, { label: 'There' }, key)).body;
    const seen = async (method: 'get' | 'post', path: string, by?: string) =>
      ((await send(method, path, undefined, by)).body as unknown as { run_tokens: { id: string }[] }).run_tokens.map(
        (token) => token.id,
      );
    expect(await seen('get', `/api/personal_api_keys/${id}`, key)).toEqual([there.id, here.id]);
    expect((await send('patch', `/api/personal_api_keys/${id}`, { scoped_teams: [acme.projectId] })).status).toBe(200);
    await eventually(async () => expect(await seen('get', '/api/personal_api_keys/@current', key)).toEqual([here.id]));
    expect(await seen('get', `/api/personal_api_keys/${id}`, key)).toEqual([here.id]);
    expect(await seen('post', `/api/personal_api_keys/${id}/roll`, key)).toEqual([here.id]);
    // All that it made is there for a key for everything.
    expect(await seen('get', `/api/personal_api_keys/${id}`)).toEqual([there.id, here.id]);
  });
});

describe('browsers', () => {
  const preflight = (path: string) =>
    fetch(api.api.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
  const call = (path: string, key: string) =>
    fetch(api.api.url + path, {
      method: 'POST',
      headers: { origin: 'https://page.example', authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    });

  test('may call the run with a token, and read what comes back, errors too', async () => {
    const name = await save();
    const { value } = await tokenOf(name);
    const queried = await preflight(`${base}/${name}/run/`);
    expect([
      queried.status,
      queried.headers.get('access-control-allow-origin'),
      queried.headers.get('access-control-allow-headers'),
      queried.headers.get('access-control-allow-methods'),
    ]).toEqual([204, '*', 'authorization, content-type, if-none-match', 'GET, POST']);
    for (const [key, status] of [
      [value, 200],
      ['phr_unknown', 401],
    ] as const) {
      const reply = await call(`${base}/${name}/run`, key);
      expect([
        reply.status,
        reply.headers.get('access-control-allow-origin'),
        reply.headers.get('access-control-allow-credentials'),
      ]).toEqual([status, '*', null]);
      for (const header of [
        'ETag',
        'Retry-After',
        'X-Request-Id',
        'X-Execution-Id',
        'X-Endpoint-Version',
        'X-Is-Cached',
        'X-Age-Seconds',
        'X-Warnings',
      ])
        expect(reply.headers.get('access-control-expose-headers')).toContain(header);
    }
    expect(
      (await call(`/api/environments/${acme.projectId}/endpoints/${name}/run/`, value)).headers.get(
        'access-control-allow-origin',
      ),
    ).toBe('*');
  });

  test('may not read replies to a key, and call nothing else', async () => {
    const name = await save();
    expect((await call(`${base}/${name}/run`, acme.key)).headers.get('access-control-allow-origin')).toBeNull();
    for (const path of [base, `${base}/${name}`, `${base}/${name}/tokens`, `/api/projects/${acme.projectId}/query`]) {
      expect([path, (await preflight(path)).headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });
});
