import { randomUUID } from 'node:crypto';
import { scopes } from '@millrace/contracts/scopes.ts';
import { errorTable } from '@millrace/http/errors/error-table.ts';
import { examplesOf, printed, readPage } from '@millrace/testkit/documented-examples.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { settings } from './config.ts';
import { startTestApi, type TestApi } from './test/test-api.ts';

const text = readPage('management.md');
// Surveys are asked of the made-up shop, which tests/docs has.
const examples = examplesOf(text.slice(0, text.indexOf('\n## Surveys\n')));

/** Definitions of the shop of `millrace seed shop` that the consumer would learn. */
async function learnDefinitions({ prisma }: TestApi, projectId: number): Promise<void> {
  const seen = { firstSeenAt: new Date('2026-03-01T08:30:00Z'), lastSeenAt: new Date('2026-03-02T09:00:00Z') };
  const ofEvent = { projectId, type: 'event', ...seen };
  await prisma.eventDefinition.create({ data: { projectId, name: 'signed up', ...seen } });
  await prisma.propertyDefinition.createMany({
    data: [
      { ...ofEvent, name: 'plan', propertyType: 'String', texts: 42 },
      { ...ofEvent, name: 'revenue', propertyType: 'Numeric', numbers: 42 },
      { ...ofEvent, name: '$browser', propertyType: 'String', texts: 42 },
    ],
  });
  for (const property of ['plan', '$browser'])
    await prisma.eventProperty.create({ data: { projectId, event: 'signed up', property } });
}

describe('docs/management.md', () => {
  let api: TestApi;
  let variables: Record<string, string>;
  beforeAll(async () => {
    api = await startTestApi();
    const { key, projectId, email, userId, organizationId } = await api.seed('Ann');
    for (const id of [1, 2])
      await api.prisma.project.create({
        data: { id, uuid: randomUUID(), organizationId, name: 'Named by its number', apiToken: `phc_${id}` },
      });
    await api.admin.installIntegration({
      organizationId,
      kind: 'vercel',
      integrationId: 'icfg_1',
      config: { type: 'connectable' },
    });
    await api.admin.createOauthApplication({
      organizationId,
      name: 'App',
      redirectUris: ['https://app.example.com/back'],
    });
    const survey = await api.admin.createKey({ email, scopes: ['survey:read'] });
    variables = { API: api.api.url, KEY: key, PROJECT: String(projectId), SURVEY_KEY: survey.key };
    await api.prisma.user.update({ where: { id: userId }, data: { email: 'ann@example.com' } });
    await api.insertEvents([{ team_id: projectId }]);
    await learnDefinitions(api, projectId);
  });
  afterAll(() => api?.stop());

  test('has examples', () => expect(examples.length).toBeGreaterThan(8));

  test.each(examples)('example %s', async (_name, command, output) => {
    expect(await printed(command, variables)).toBe(output.trimEnd());
  });

  test('call every operation of spec 4.2 and 4.4, with success', async () => {
    const rows = [
      ...[
        'delete_integration',
        'update_environment_mapping',
        'list_invites',
        'create_invite',
        'delete_invite',
        'create_invites',
        'delegate_setup',
      ],
      ...[
        'create_legal_document',
        'list_members',
        'update_member',
        'delete_member',
        'retrieve_code_host_login',
        'list_member_keys',
      ],
      ...['list_oauth_applications', 'list_projects'],
    ];
    const metrics = await (await fetch(`${api.api.operationsUrl()}/metrics`)).text();
    const counted = metrics
      .split('\n')
      .filter((line) => line.startsWith('millrace_api_request_seconds_count{') && /status="2\d\d"/.test(line));
    const replied = new Set(counted.map((line) => /operation="(\w+)"/.exec(line)?.[1]));
    expect(rows.filter((row) => !replied.has(row))).toEqual([]);
  });

  test('names only settings and codes that there are, and every object of scopes', () => {
    const known = new Set(JSON.stringify(settings).match(/(?:API|PUBLIC|REDIS)_\w+/g));
    for (const name of text.match(/\b(?:API_[A-Z_]+|PUBLIC_URL|REDIS_URL)\b/g) ?? [])
      expect([name, known.has(name)]).toEqual([name, true]);
    const rows = [...text.matchAll(/^\| \d{3} \| ([^|]+) \|/gm)].flatMap(([, codes = '']) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code),
    );
    expect(rows.length).toBeGreaterThan(25);
    for (const code of rows) expect(Object.keys(errorTable)).toContain(code);
    for (const scope of scopes) expect(text).toContain(`\`${scope.split(':')[0]}\``);
  });
});
