import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { ReplyBody } from '../../../test/test-request.ts';
import { expectedSignature, startReceiver, type WebhookReceiver } from './testing/webhook-receiver.ts';

// contract/orgs-errors 9.

type Shown = Omit<ReplyBody, 'results'> &
  Record<string, unknown> & { results: Record<string, unknown>[]; mail_recipients: string[]; webhook_secret?: string };
const secretPattern = /^whsec_[A-Za-z0-9+/]{43}=$/;

let api: TestApi;
let acme: Seed;
let other: Seed;
let receiver: WebhookReceiver;
beforeAll(async () => {
  api = await startTestApi({ ALERT_WEBHOOK_PRIVATE_ALLOWED: 'true' });
});
afterAll(() => api?.stop());
beforeEach(async () => {
  [acme, other, receiver] = [await api.seed('Acme'), await api.seed('Other'), await startReceiver()];
});
afterEach(() => receiver.close());

const send = (method: 'get' | 'post' | 'patch', rest = '', body?: object, { key, projectId } = acme) => {
  const made = api.as(key).send<Shown>(method, `/api/projects/${projectId}/error_tracking/alerts${rest}`);
  return body === undefined ? made : made.send(body);
};
async function change(body: object): Promise<Shown> {
  const { status, body: shown } = await send('patch', '', body);
  expect([status, shown.detail]).toEqual([200, undefined]);
  return shown;
}
const refusalOf = async (body: object) => {
  const { status, body: refusal } = await send('patch', '', body);
  return [status, refusal['code'], refusal['attr']];
};

describe('settings', () => {
  const defaults = {
    ...{ enabled: true, on_new: true, on_regressed: true, webhook_url: null, mail_recipients: [] },
    ...{ webhook_secret_set: false, mail_configured: true, last_delivery: null, updated_at: null },
  };

  test('have defaults before anything is set, by each form of their address', async () => {
    for (const path of ['projects', 'environments'])
      for (const end of ['', '/']) {
        const { status, body } = await api
          .as(acme.key)
          .send('get', `/api/${path}/${acme.projectId}/error_tracking/alerts${end}`);
        expect([status, body]).toEqual([200, defaults]);
      }
  });

  test('change field by field, and show their secret once', async () => {
    const made = await change({ webhook_url: receiver.url, on_new: false });
    expect(made).toMatchObject({
      webhook_url: receiver.url,
      on_new: false,
      on_regressed: true,
      webhook_secret_set: true,
    });
    expect(made.webhook_secret).toMatch(secretPattern);
    const again = await change({ mail_recipients: [acme.email.toUpperCase()] });
    expect(again).toMatchObject({ webhook_url: receiver.url, on_new: false, mail_recipients: [acme.email] });
    const { body } = await send('get');
    expect(JSON.stringify([again, body])).not.toContain('whsec_');
    expect(Object.keys(body).toSorted()).toEqual(Object.keys(defaults).toSorted());
    expect(await change({ webhook_url: null })).toMatchObject({ webhook_url: null, webhook_secret_set: true });
  });

  test('of one project are not those of another', async () => {
    await change({ webhook_url: receiver.url });
    expect((await send('get', '', undefined, other)).body).toEqual(defaults);
    expect((await send('get', '', undefined, { ...other, projectId: acme.projectId })).status).toBe(403);
    expect((await send('get', '/deliveries', undefined, { ...other, projectId: acme.projectId })).status).toBe(403);
  });

  test('are in the activity log, without the secret', async () => {
    await change({ webhook_url: receiver.url });
    await change({ mail_recipients: [acme.email] });
    await send('post', '/rotate_secret');
    const where = { projectId: acme.projectId, itemType: 'alert_settings' };
    const rows = await api.prisma.activityLogEntry.findMany({ where, orderBy: { id: 'asc' } });
    expect(rows.map(({ activity, itemId, before, after }) => [activity, itemId, before, after])).toEqual([
      ['updated', String(acme.projectId), { webhook_url: null }, { webhook_url: receiver.url }],
      ['updated', String(acme.projectId), { mail_recipients: [] }, { mail_recipients: [acme.email] }],
      ['rolled', String(acme.projectId), null, null],
    ]);
  });

  test.each([
    [{ webhook_url: 'example.com' }, 'webhook_url'],
    [{ webhook_url: 'http://169.254.169.254/' }, 'webhook_url'],
    [{ mail_recipients: ['nobody@example.com'] }, 'mail_recipients__0'],
    [{ mail_recipients: Array.from({ length: 11 }, (_, index) => `${index}@example.com`) }, 'mail_recipients'],
    [{ active: false }, 'active'],
  ])('%j is refused', async (body, attr) => {
    expect((await refusalOf(body)).slice(0, 3)).toEqual([400, expect.any(String), attr]);
  });

  test('name only users who may see the project; who loses access is not among them', async () => {
    expect(await refusalOf({ mail_recipients: [acme.email, other.email] })).toEqual([
      400,
      'invalid_input',
      'mail_recipients__1',
    ]);
    const email = `member-${acme.projectId}@example.com`;
    const { userId } = await api.admin.createUser({
      organizationId: acme.organizationId,
      email,
      firstName: 'M',
      level: 1,
    });
    expect((await change({ mail_recipients: [email] })).mail_recipients).toEqual([email]);
    await api.prisma.project.update({ where: { id: acme.projectId }, data: { accessControl: true } });
    expect((await send('get')).body.mail_recipients).toEqual([]);
    expect(await refusalOf({ mail_recipients: [email] })).toEqual([400, 'invalid_input', 'mail_recipients__0']);
    await api.prisma.projectAccess.create({ data: { projectId: acme.projectId, userId, level: 'member' } });
    expect((await send('get')).body.mail_recipients).toEqual([email]);
    await api.prisma.user.update({ where: { id: userId }, data: { isEmailVerified: false } });
    expect((await send('get')).body.mail_recipients).toEqual([]);
  });

  test('of members who see only themselves name nobody else, and keep those who were chosen', async () => {
    const { organizationId } = acme;
    const email = `member-${acme.projectId}@example.com`;
    await api.admin.createUser({ organizationId, email, firstName: 'M', level: 1 });
    const { key } = await api.admin.createKey({ email, scopes: ['*'] });
    await change({ mail_recipients: [acme.email] });
    await api.prisma.organization.update({ where: { id: organizationId }, data: { membersCanSeeOrgMembers: false } });
    const asMember = { ...acme, key };
    expect((await send('get', '', undefined, asMember)).body.mail_recipients).toEqual([]);
    expect((await send('patch', '', { mail_recipients: [acme.email] }, asMember)).status).toBe(400);
    const { body } = await send('patch', '', { mail_recipients: [email] }, asMember);
    expect(body.mail_recipients).toEqual([email]);
    expect((await send('get')).body.mail_recipients.toSorted()).toEqual([acme.email, email].toSorted());
    await send('patch', '', { mail_recipients: [] }, asMember);
    expect((await send('get')).body.mail_recipients).toEqual([acme.email]);
  });

  test('of two changes at once both count', async () => {
    await Promise.all([
      change({ webhook_url: receiver.url }),
      change({ on_new: false }),
      change({ on_regressed: false }),
    ]);
    expect((await send('get')).body).toMatchObject({ webhook_url: receiver.url, on_new: false, on_regressed: false });
  });
});

describe('without private addresses', () => {
  test('a URL of this machine is refused', async () => {
    const strict = await api.startProcess({ ALERT_WEBHOOK_PRIVATE_ALLOWED: 'false' });
    const { status, body } = await api
      .as(acme.key, strict)
      .send('patch', `/api/projects/${acme.projectId}/error_tracking/alerts`)
      .send({ webhook_url: receiver.url });
    expect([status, body.attr, body.detail]).toEqual([400, 'webhook_url', expect.stringContaining('not called')]);
  });
});

describe('a test', () => {
  test('goes by both channels, signed, and says what became of it', async () => {
    const { webhook_secret: secret = '' } = await change({
      webhook_url: receiver.url,
      mail_recipients: [acme.email],
      enabled: false,
    });
    const { status, body } = await send('post', '/test');
    expect([status, body]).toEqual([
      200,
      {
        webhook: { delivered: true, response_status: 204, error: null },
        mail: { delivered: true, response_status: null, error: null },
      },
    ]);
    const [got] = receiver.received;
    if (got === undefined) throw new Error('nothing was received');
    expect(got).toMatchObject({ type: 'test', data: { project: { id: acme.projectId } } });
    expect(got.signatures).toEqual([expectedSignature(secret, got)]);
    expect(Math.abs(Number(got.timestamp) - Date.now() / 1_000)).toBeLessThan(60);
    expect(api.mails.filter(({ to }) => to === acme.email)).toMatchObject([{ subject: '[Acme] Test of alerts' }]);
    expect((await send('get')).body['last_delivery']).toMatchObject({ type: 'test', status: 'delivered', attempts: 1 });
  });

  test('says why a receiver did not get it; it is not tried again', async () => {
    await change({ webhook_url: receiver.url });
    receiver.answer = (response) => response.writeHead(500).end('private words');
    const { body } = await send('post', '/test');
    const error = 'The receiver answered 500.';
    expect(body).toEqual({ webhook: { delivered: false, response_status: 500, error }, mail: null });
    const { results } = (await send('get', '/deliveries')).body;
    expect(results).toMatchObject([{ type: 'test', status: 'failed', error, next_attempt_at: null, issue_id: null }]);
  });

  test('says so when nothing is set up, or mail is not', async () => {
    expect((await send('post', '/test')).body).toEqual({ webhook: null, mail: null });
  });

  test('counts for the rate: beyond it, it is refused', async () => {
    await change({ webhook_url: receiver.url });
    const statuses: number[] = [];
    for (let n = 0; n < 21; n++) statuses.push((await send('post', '/test')).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    expect(receiver.received).toHaveLength(20);
  });

  test('is signed with the former keys too: the newest five of them', async () => {
    const secrets = [(await change({ webhook_url: receiver.url })).webhook_secret ?? ''];
    for (let rotations = 0; rotations < 6; rotations++) {
      const { webhook_secret: made = '' } = (await send('post', '/rotate_secret')).body;
      expect(made).toMatch(secretPattern);
      secrets.unshift(made);
    }
    await send('post', '/test');
    const [got] = receiver.received;
    if (got === undefined) throw new Error('nothing was received');
    expect(got.signatures).toEqual(secrets.slice(0, 6).map((secret) => expectedSignature(secret, got)));
  });
});

test('deliveries come in pages, the newest first, for 7 days', async () => {
  const dayMs = 24 * 3_600_000;
  const row = { projectId: acme.projectId, channel: 'mail', type: 'test', status: 'failed' };
  await api.prisma.errorTrackingAlertDelivery.createMany({
    data: [8, 6, 1].map((days) => ({
      ...row,
      id: crypto.randomUUID(),
      createdAt: new Date(Date.now() - days * dayMs),
      error: `${days}`,
    })),
  });
  const { body } = await send('get', '/deliveries?limit=1');
  expect(body).toMatchObject({ count: 2, next: expect.stringContaining('offset=1'), results: [{ error: '1' }] });
  expect((await send('get', '/deliveries?offset=1')).body.results).toMatchObject([{ error: '6' }]);
});
