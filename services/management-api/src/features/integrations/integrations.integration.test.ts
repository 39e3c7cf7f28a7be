import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ManagementApi } from '../../app.ts';
import { addMember } from '../../test/invite-world.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';
import type { IntegrationProvider } from './provider.ts';

let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi();
});
beforeEach(async () => {
  acme = await api.seed('Acme');
});
afterAll(() => api?.stop());

/** For processes whose failures are wanted. */
const quiet = { LOG_LEVEL: 'silent' };
/** A provider with the given calls alone. */
const provider = (parts: Partial<IntegrationProvider>): IntegrationProvider => ({
  deauthorize: () => Promise.reject(new Error('deauthorize was not awaited')),
  pushTokens: () => Promise.reject(new Error('pushTokens was not awaited')),
  ...parts,
});
const install = async (
  config: Record<string, unknown> = { type: 'connectable' },
  integrationId: string | null = 'icfg_1',
) =>
  (await api.admin.installIntegration({ organizationId: acme.organizationId, kind: 'vercel', integrationId, config }))
    .id;
const pathOf = (id: string): string => `/api/organizations/${acme.organizationId}/integrations/${id}`;
const map = (id: string, body: Record<string, unknown>, app: ManagementApi = api.api) =>
  api
    .as(acme.key, app)
    .send('patch', `${pathOf(id)}/environment-mapping`)
    .send(body);
const remove = (id: string, app: ManagementApi = api.api) => api.as(acme.key, app).send('delete', pathOf(id));
const project = async (name: string) =>
  (await api.admin.createProject({ organizationId: acme.organizationId, name })).projectId;
const connected = async () =>
  (
    await api.prisma.projectIntegration.findMany({
      where: { project: { organizationId: acme.organizationId } },
      orderBy: { projectId: 'asc' },
    })
  ).map(({ projectId, kind, integrationId, config }) => ({ projectId, kind, integrationId, config }));
const activities = async () =>
  (
    await api.prisma.activityLogEntry.findMany({
      where: { organizationId: acme.organizationId, itemType: 'organization_integration' },
      orderBy: { id: 'asc' },
    })
  ).map(({ actor, activity, before, after }) => ({ actor, activity, before, after }));

describe('integrations (contract/orgs-errors 2.1)', () => {
  test('are installed from the command line, once for each id at the provider, and shown to members', async () => {
    const id = await install();
    expect(await install({ type: 'connectable', team: 'a' })).toBe(id);
    const marketplace = await install({}, 'icfg_2');
    expect(await install({}, null)).toBe(await install({}, null));
    const list = (await api.as(acme.key).send('get', `/api/organizations/${acme.organizationId}/integrations/`)).body;
    expect((list.results as unknown as { id: string }[]).map((one) => one.id).slice(1)).toEqual([marketplace, id]);
    expect((await api.as(acme.key).send('get', pathOf(id))).body).toEqual({
      id,
      kind: 'vercel',
      integration_id: 'icfg_1',
      config: { type: 'connectable', team: 'a' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
      created_by: null,
    });
    expect((await activities()).slice(0, 2)).toEqual([
      {
        actor: 'command line',
        activity: 'created',
        before: null,
        after: { kind: 'vercel', integration_id: 'icfg_1', config: { type: 'connectable' } },
      },
      {
        actor: 'command line',
        activity: 'updated',
        before: { config: { type: 'connectable' } },
        after: { config: { type: 'connectable', team: 'a' } },
      },
    ]);
    await expect(
      api.admin.installIntegration({
        organizationId: acme.organizationId,
        kind: 'slack',
        integrationId: null,
        config: {},
      }),
    ).rejects.toThrow('Unknown kind slack. Known: vercel.');
  });

  test('members read no private project in a mapping that they were not let into', async () => {
    const [open, secret] = [await project('Open'), await project('Secret')];
    await api.admin.updateProject({ projectId: secret, isPrivate: true });
    const id = await install();
    expect((await map(id, { production: open, preview: secret })).status).toBe(200);
    const { key } = await addMember(api, acme, 'Plain', 1);
    const configs = async (reader: string) => {
      const list = (await api.as(reader).send('get', `/api/organizations/${acme.organizationId}/integrations/`)).body
        .results as unknown as { config: unknown }[];
      return [list[0]?.config, (await api.as(reader).send<{ config: unknown }>('get', pathOf(id))).body.config];
    };
    const whole = {
      type: 'connectable',
      environment_mapping: { production: open, preview: secret, development: open },
    };
    expect(await configs(acme.key)).toEqual([whole, whole]);
    const seen = { type: 'connectable', environment_mapping: { production: open, development: open } };
    expect(await configs(key)).toEqual([seen, seen]);
  });

  test('two installations of the same at once are one', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => install({}, null)));
    expect(new Set(ids).size).toBe(1);
  });
});

describe('the mapping of environments', () => {
  test('is stored; each of its projects is connected once, with its own environments', async () => {
    const id = await install();
    const other = await project('Preview');
    const { status, body } = await map(id, { production: acme.projectId, preview: other, kind: 'slack', unknown: 1 });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        id,
        kind: 'vercel',
        config: {
          type: 'connectable',
          environment_mapping: { production: acme.projectId, preview: other, development: acme.projectId },
        },
      }),
    ]);
    const ours = { kind: 'vercel', integrationId: 'icfg_1' };
    expect(await connected()).toEqual([
      { projectId: acme.projectId, ...ours, config: { environments: ['production', 'development'] } },
      { projectId: other, ...ours, config: { environments: ['preview'] } },
    ]);
    await map(id, { production: other });
    expect((await connected()).map(({ projectId, config }) => [projectId, config])).toEqual([
      [acme.projectId, { environments: [] }],
      [other, { environments: ['production', 'preview', 'development'] }],
    ]);
    expect((await activities()).at(-1)).toEqual({
      actor: acme.email,
      activity: 'updated',
      before: {
        config: {
          type: 'connectable',
          environment_mapping: { production: acme.projectId, preview: other, development: acme.projectId },
        },
      },
      after: {
        config: { type: 'connectable', environment_mapping: { production: other, preview: other, development: other } },
      },
    });
  });

  test('hands the provider the tokens, the one of production and those that differ', async () => {
    const reported: unknown[] = [];
    const app = await api.startProcess(
      {},
      { integrations: provider({ pushTokens: (_integration, tokens) => Promise.resolve(void reported.push(tokens)) }) },
    );
    const other = await project('Development');
    const token = async (projectId: number) => ({
      projectId,
      token: (await api.prisma.project.findUniqueOrThrow({ where: { id: projectId } })).apiToken,
    });
    await map(await install(), { production: acme.projectId, preview: acme.projectId, development: other }, app);
    expect(reported).toEqual([{ production: await token(acme.projectId), development: await token(other) }]);
  });

  test('is stored even when the provider is away, and the same once more is safe', async () => {
    const away = await api.startProcess(quiet, {
      integrations: provider({ pushTokens: () => Promise.reject(new Error('away')) }),
    });
    const id = await install();
    expect((await map(id, { production: acme.projectId }, away)).status).toBe(503);
    expect(await connected()).toHaveLength(1);
    expect((await map(id, { production: acme.projectId })).status).toBe(200);
    expect(await connected()).toEqual([
      expect.objectContaining({ config: { environments: ['production', 'preview', 'development'] } }),
    ]);
  });

  test('connects each project once, and writes down each change from what was before it, however many map at once', async () => {
    const id = await install();
    const projects = [acme.projectId, await project('Second'), await project('Third')];
    const replies = await Promise.all(
      projects.flatMap((production) => [map(id, { production }), map(id, { production })]),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await connected()).map(({ projectId }) => projectId)).toEqual(projects);
    const changes = (await activities()).slice(1);
    for (const [index, { before }] of changes.entries()) {
      if (index > 0) expect(before).toEqual(changes[index - 1]?.after);
    }
  });

  test('knows only projects of the organization that are there', async () => {
    const id = await install();
    const [theirs, gone] = [(await api.seed('Other')).projectId, await project('Gone')];
    await api.admin.deleteProject({ projectId: gone });
    for (const [body, attr, unknown] of [
      [{ production: theirs }, 'production', theirs],
      [{ production: acme.projectId, preview: gone }, 'preview', gone],
      [{ production: acme.projectId, development: 2_147_483_647 }, 'development', 2_147_483_647],
    ] as const) {
      const { status, body: error } = await map(id, body);
      expect([status, error.code, error.attr, error.detail]).toEqual([
        400,
        'invalid_input',
        attr,
        `Project ${unknown} is not in this organization.`,
      ]);
    }
    const missing = await map(id, { preview: acme.projectId });
    expect([missing.status, missing.body.code, missing.body.attr]).toEqual([400, 'required', 'production']);
    expect(await connected()).toEqual([]);
  });

  test('is not for what a marketplace installed', async () => {
    for (const config of [{}, { type: 'marketplace' }]) {
      const { status, body } = await map(await install(config), { production: acme.projectId });
      expect([status, body.code, body.attr]).toEqual([400, 'invalid_input', null]);
    }
  });
});

describe('an integration is disconnected', () => {
  test('from the organization and from its projects, of whatever installation', async () => {
    const [id, other] = [await install(), await install({ type: 'connectable' }, 'icfg_2')];
    await map(id, { production: acme.projectId });
    await map(other, { production: acme.projectId });
    const theirs = await api.seed('Other');
    await api.prisma.projectIntegration.create({
      data: { id: crypto.randomUUID(), projectId: theirs.projectId, kind: 'vercel' },
    });
    expect((await remove(id)).status).toBe(204);
    expect((await api.as(acme.key).send('get', pathOf(id))).status).toBe(404);
    expect((await api.as(acme.key).send('get', pathOf(other))).status).toBe(200);
    expect(await connected()).toEqual([]);
    expect(await api.prisma.projectIntegration.count({ where: { projectId: theirs.projectId } })).toBe(1);
    expect((await activities()).at(-1)).toMatchObject({ actor: acme.email, activity: 'deleted', after: null });
  });

  test('409, and nothing is done, while the provider refuses because of unpaid invoices', async () => {
    const id = await install({ deauthorization_blocked: true });
    const { status, body } = await remove(id);
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect((await api.as(acme.key).send('get', pathOf(id))).status).toBe(200);
    await install({ deauthorization_blocked: false });
    expect((await remove(id)).status).toBe(204);
  });

  test('all the same when the provider fails otherwise, and without asking it when it was only attached', async () => {
    const away = await api.startProcess(quiet, {
      integrations: provider({ deauthorize: () => Promise.reject(new Error('away')) }),
    });
    expect((await remove(await install({}), away)).status).toBe(204);
    const blocked = await api.startProcess(quiet, {
      integrations: provider({ deauthorize: () => Promise.resolve('blocked') }),
    });
    expect((await remove(await install(), blocked)).status).toBe(204);
    expect((await remove(await install({}), blocked)).status).toBe(409);
  });
});
