import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

interface Entry {
  id: string;
  activity: string;
  actor: string;
  actor_key_id: string | null;
  is_system: boolean;
  item_type: string;
  user: { email: string } | null;
  before: unknown;
  after: unknown;
  created_at: string;
}
interface Page {
  count: number;
  next: string | null;
  results: Entry[];
}

let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  await api.as(acme.key).send('patch', `/api/organizations/${acme.organizationId}/`).send({ name: 'Renamed' });
  await api.as(acme.key).send('patch', `/api/projects/${acme.projectId}/`).send({ name: 'Web' });
  await api.admin.setProject({ projectId: acme.projectId, anonymizeIps: true });
});
afterAll(() => api?.stop());

const list = async (of: 'organization' | 'project', query = '') => {
  const path = of === 'organization' ? `/api/organizations/${acme.organizationId}` : `/api/projects/${acme.projectId}`;
  return (await api.as(acme.key).send<Page>('get', `${path}/activity_log/${query}`)).body;
};
const brief = ({ results }: Page) =>
  results.map(({ item_type, activity, actor }) => `${actor === acme.email ? 'user' : actor}: ${item_type} ${activity}`);

describe('the activity log', () => {
  test('shows administrators all changes with their authors, newest first, with before and after', async () => {
    const log = await list('organization');
    expect(brief(log)).toEqual([
      'command line: project updated',
      'user: project updated',
      'user: organization updated',
      'command line: personal_api_key created',
      'command line: member created',
      'command line: project created',
      'command line: organization created',
    ]);
    expect(log.results[1]).toMatchObject({
      before: { name: 'Acme' },
      after: { name: 'Web' },
      user: { email: acme.email },
      actor_key_id: acme.keyId,
      is_system: false,
    });
    expect(log.results[0]).toMatchObject({ user: null, actor_key_id: null, is_system: true });
  });

  test('of a project has what concerns it alone', async () => {
    expect(brief(await list('project'))).toEqual([
      'command line: project updated',
      'user: project updated',
      'command line: project created',
    ]);
  });

  test.each(['_', '%', '\\', '\u212A'])('an address with %j in it stands for nobody else', async (text) => {
    const changed = await api
      .as(acme.key)
      .send<Page>(
        'get',
        `/api/organizations/${acme.organizationId}/activity_log/?user=${encodeURIComponent(acme.email.replace(/^./, text))}`,
      );
    expect([changed.status, changed.body.count]).toEqual([200, 0]);
  });

  test('can be filtered by user, kind, object and time', async () => {
    const all = (await list('organization')).results;
    for (const user of [acme.userId, acme.userUuid, acme.email.toUpperCase()]) {
      expect(brief(await list('organization', `?user=${user}`))).toEqual([
        'user: project updated',
        'user: organization updated',
      ]);
    }
    expect((await list('organization', '?user=nobody@example.com')).count).toBe(0);
    expect(
      brief(await list('organization', `?item_type=project&item_id=${acme.projectId}&user=${acme.userId}`)),
    ).toEqual(['user: project updated']);
    const third = all[2]?.created_at ?? '';
    const since = await list('organization', `?since=${third}`);
    const until = await list('organization', `?until=${third}`);
    expect([since.count + until.count, since.results.at(-1)?.id]).toEqual([all.length, all[2]?.id]);
    expect((await list('organization', '?since=yesterday')) as unknown).toMatchObject({
      code: 'invalid_input',
      attr: 'since',
    });
  });

  test("a time that the database cannot hold is the caller's mistake", async () => {
    expect(await list('organization', '?since=0000-01-01T00:00:00Z')).toMatchObject({
      code: 'invalid_input',
      attr: 'since',
    });
  });

  test('has pages', async () => {
    const page = await list('organization', '?limit=2&offset=2');
    expect([page.count, page.results.length, page.next]).toEqual([7, 2, expect.stringContaining('limit=2&offset=4')]);
  });

  test('a page ends before it fills the memory, and the next one continues', async () => {
    const long = {
      organizationId: acme.organizationId,
      actor: 'command line',
      itemType: 'long',
      itemId: '1',
      activity: 'updated',
      after: { text: 'x'.repeat(3_000_000) },
    };
    await api.prisma.activityLogEntry.createMany({ data: Array.from({ length: 5 }, () => long) });
    const page = await list('organization', '?item_type=long&limit=1000');
    expect([page.count, page.results.length, page.next]).toEqual([5, 3, expect.stringContaining('offset=3')]);
    expect((await list('organization', '?item_type=long&limit=1000&offset=3')).results).toHaveLength(2);
    await api.prisma.activityLogEntry.deleteMany({ where: { itemType: 'long' } });
  });

  test('outlives its authors, and is hidden from plain members', async () => {
    const { userId } = await api.admin.createUser({
      organizationId: acme.organizationId,
      email: 'leaving@example.com',
      firstName: 'L',
      level: 8,
    });
    const { key } = await api.admin.createKey({ email: 'leaving@example.com', scopes: ['*'] });
    await api.as(key).send('patch', `/api/organizations/${acme.organizationId}/`).send({ name: 'By a leaver' });
    await api.prisma.membership.updateMany({ where: { userId }, data: { level: 1 } });
    const path = `/api/organizations/${acme.organizationId}/activity_log/`;
    await eventually(async () => expect((await api.as(key).send('get', path)).status).toBe(403));
    await api.prisma.user.delete({ where: { id: userId } });
    const [newest] = (await list('organization', '?item_type=organization')).results;
    expect(newest).toMatchObject({ actor: 'leaving@example.com', user: null, is_system: false });
  });
});
