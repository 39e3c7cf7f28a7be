import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../../../test/test-api.ts';
import { expectedSignature, startReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';
import { rates } from './rates.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

// contract/decisions 140 and 141; contract/orgs-errors 9.2.

const hourMs = 3_600_000;
/** The clock of the processes is ahead by this. */
let aheadMs = 0;
const nowMs = (): number => Date.now() + aheadMs;
let api: TestApi;
let acme: Seed;
let receiver: WebhookReceiver;
/** A second one, of one test. */
let slow: WebhookReceiver | undefined;
let secret: string;

beforeAll(async () => {
  api = await startTestApi({ ALERT_WEBHOOK_PRIVATE_ALLOWED: 'true' }, { clock: { nowMs } });
  // The second has no more rights than it has in production. Both send.
  const url = new URL(api.databaseUrl);
  url.searchParams.set('options', `-c role=${postgresRoles.management}`);
  await api.startProcess({ DATABASE_URL: url.href });
});
afterAll(() => api?.stop());
beforeEach(async () => {
  aheadMs = 0;
  [acme, receiver] = [await api.seed('Acme'), await startReceiver()];
});
afterEach(async () => {
  receiver.close();
  slow?.close();
  slow = undefined;
  // Deliveries that are left over belong to no other test.
  await api.prisma.errorTrackingAlertSettings.deleteMany();
  await api.prisma.errorTrackingAlertQueue.deleteMany();
});

async function choose(body: object, { key, projectId } = acme): Promise<void> {
  const path = `/api/projects/${projectId}/error_tracking/alerts`;
  const reply = await api.as(key).send<{ webhook_secret: string }>('patch', path).send(body);
  expect(reply.status).toBe(200);
  secret = reply.body.webhook_secret;
}

const frame = { function: 'addToCart', file: 'src/cart.ts', line: 12 };
const release = { version: '1.4.2', project: 'shop-web' };

/** Exceptions with these fingerprints come in. */
async function see(fingerprints: readonly string[], { projectId } = acme): Promise<void> {
  const seen = fingerprints.map((fingerprint) => ({
    ...{ project_id: projectId, fingerprint, issue_id: crypto.randomUUID(), version: 1, makes: true },
    ...{ name: 'TypeError', description: `of ${fingerprint}`, frame, release },
    ...{ first_seen_at: new Date().toISOString(), received_at: new Date().toISOString() },
  }));
  await api.prisma.$queryRaw`SELECT issue_id FROM see_issues(${JSON.stringify(seen)}::json)`;
}
/** Alerts that wait already, without a queue. */
async function fill(count: number): Promise<void> {
  const issue = { id: crypto.randomUUID(), name: 'TypeError', first_seen_at: new Date().toISOString() };
  await api.prisma.$executeRaw`
    INSERT INTO error_tracking_alert_deliveries (id, project_id, channel, type, issues, created_count)
    SELECT gen_random_uuid(), ${acme.projectId}, 'webhook', 'issue.created', ${JSON.stringify([issue])}::jsonb, 1
    FROM generate_series(1, ${count}::integer)`;
}
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `f${index}`);
const deliveries = ({ projectId } = acme) =>
  api.prisma.errorTrackingAlertDelivery.findMany({
    where: { projectId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
const statuses = async (seed = acme) => (await deliveries(seed)).map(({ status }) => status).toSorted();
const countOf = async (status: string): Promise<number> => (await statuses()).filter((one) => one === status).length;
const untilStatuses = (...wanted: string[]) => eventually(async () => expect(await statuses()).toEqual(wanted));

test('a new issue and its return are told to the receiver, signed, with an address that opens', async () => {
  await choose({ webhook_url: receiver.url });
  await see(['f']);
  await untilStatuses('delivered');
  await api.prisma.errorTrackingIssue.updateMany({
    where: { projectId: acme.projectId },
    data: { status: 'resolved', resolvedAt: new Date(Date.now() - 1_000) },
  });
  await see(['f']);
  await untilStatuses('delivered', 'delivered');
  expect(receiver.received.map(({ type }) => type)).toEqual(['issue.created', 'issue.regressed']);
  for (const got of receiver.received) expect(got.signatures).toEqual([expectedSignature(secret, got)]);
  for (const { data } of receiver.received) expect(data.issue).toMatchObject({ frame, release });
  const { issue } = receiver.received[0]?.data ?? {};
  const opened = await fetch(issue?.url ?? '', { headers: { authorization: `Bearer ${acme.key}` } });
  expect([opened.status, await opened.json()]).toEqual([
    200,
    expect.objectContaining({ id: issue?.id, name: 'TypeError' }),
  ]);
});

test('it is mailed to all recipients, each once, whatever became of the others', async () => {
  const email = `member-${acme.projectId}@example.com`;
  await api.admin.createUser({ organizationId: acme.organizationId, email, firstName: 'M', level: 1 });
  await choose({ mail_recipients: [acme.email, email] });
  await see(['f']);
  await untilStatuses('delivered');
  const mails = api.mails.filter(({ to }) => [acme.email, email].includes(to));
  expect(mails.map(({ to }) => to).toSorted()).toEqual([acme.email, email].toSorted());
  expect(mails[0]).toMatchObject({
    subject: '[Acme] New issue: TypeError',
    text: expect.stringContaining('of f\nat addToCart (src/cart.'),
  });
});

test('alerts that were switched off meanwhile are not sent, and say so', async () => {
  await choose({ webhook_url: receiver.url });
  receiver.answer = (response) => response.writeHead(503).end();
  await see(['f']);
  await eventually(async () => expect((await deliveries())[0]?.responseStatus).toBe(503));
  await choose({ enabled: false });
  aheadMs += hourMs;
  await untilStatuses('failed');
  expect((await deliveries())[0]?.error).toContain('switched off');
  expect(receiver.received).toHaveLength(1);
});

test('alerts that were switched off fail at once, however many wait', async () => {
  await choose({ webhook_url: receiver.url });
  receiver.answer = (response) => response.writeHead(503).end();
  await see(['f']);
  await eventually(async () => expect((await deliveries())[0]?.responseStatus).toBe(503));
  await eventually(async () =>
    expect(await api.prisma.errorTrackingAlertQueue.count({ where: { claimedBy: { not: null } } })).toBe(0),
  );
  await fill(12_000);
  await choose({ webhook_url: null });
  await eventually(async () => expect(await countOf('failed')).toBe(12_001), { deadlineMs: 8_000 });
  expect(receiver.received).toHaveLength(1);
});

describe('a delivery that fails', () => {
  test('is tried eight times with the same id and body, after growing waits, and then has failed', async () => {
    await choose({ webhook_url: receiver.url });
    receiver.answer = (response) => response.writeHead(500).end();
    await see(['f']);
    const waits: number[] = [];
    for (let attempts = 1; attempts <= 8; attempts++) {
      await eventually(async () => expect((await deliveries())[0]).toMatchObject({ attempts, responseStatus: 500 }));
      await eventually(async () =>
        expect(await api.prisma.errorTrackingAlertQueue.count({ where: { claimedBy: { not: null } } })).toBe(0),
      );
      const { nextAttemptAt } = (await deliveries())[0] ?? {};
      if (!nextAttemptAt) break;
      waits.push(Math.floor((nextAttemptAt.getTime() - nowMs()) / 1_000));
      aheadMs = nextAttemptAt.getTime() + 11_000 - Date.now();
    }
    await untilStatuses('failed');
    expect(waits.map((wait) => Math.ceil(wait / 10) * 10)).toEqual([10, 60, 300, 1_200, 2_700, 5_400, 10_800]);
    expect(receiver.received).toHaveLength(8);
    // Without PUBLIC_URL each process names its own port.
    const same = receiver.received.map(({ id, body }) => id + body.replaceAll(/127\.0\.0\.1:\d+/g, 'host'));
    expect(new Set(same).size).toBe(1);
    expect((await deliveries())[0]).toMatchObject({ error: 'The receiver answered 500.', attempts: 8 });
  }, 60_000);

  test('and then succeeds, is delivered', async () => {
    await choose({ webhook_url: receiver.url });
    receiver.answer = (response) => response.writeHead(receiver.received.length === 1 ? 500 : 200).end();
    await see(['f']);
    await eventually(async () => expect((await deliveries())[0]?.responseStatus).toBe(500));
    aheadMs += 30_000;
    await untilStatuses('delivered');
    expect((await deliveries())[0]).toMatchObject({
      error: null,
      responseStatus: 200,
      attempts: 2,
      nextAttemptAt: null,
    });
  });
});

describe('a flood of issues', () => {
  test('is 20 calls a minute, the last one a digest of the rest: nothing is lost', async () => {
    await choose({ webhook_url: receiver.url });
    await see(many(76));
    await eventually(async () => expect(await countOf('pending')).toBe(0));
    await eventually(() => expect(receiver.received).toHaveLength(rates.webhook.attemptsMax));
    const digest = receiver.received.find(({ type }) => type === 'issues.digest');
    expect(digest?.data).toMatchObject({ created: 57, regressed: 0 });
    expect(digest?.data.issues).toHaveLength(10);
    const rows = await deliveries();
    expect(rows.filter(({ status, digestId }) => status === 'digested' && digestId === digest?.id)).toHaveLength(57);
    const told = receiver.received.flatMap(({ data }) => data.issue?.description ?? []);
    expect(new Set(told).size).toBe(19);

    await see(['later']);
    await eventually(async () => {
      const queue = await api.prisma.errorTrackingAlertQueue.findFirst({ where: { projectId: acme.projectId } });
      expect(queue?.blockedUntil).not.toBeNull();
    });
    expect(receiver.received).toHaveLength(20);
    aheadMs += 61_000;
    await eventually(() => expect(receiver.received).toHaveLength(21));
    expect(receiver.received.at(-1)?.data.issue?.description).toBe('of later');
  }, 30_000);

  test('of very many is one digest of 5,000 after the other', async () => {
    await choose({ webhook_url: receiver.url });
    await fill(12_000);
    await see(['f']);
    for (const calls of [20, 40, 60]) {
      await eventually(() => expect(receiver.received).toHaveLength(calls), { deadlineMs: 20_000 });
      aheadMs += 61_000;
    }
    await eventually(async () => expect(await countOf('pending')).toBe(0));
    const digests = receiver.received.filter(({ type }) => type === 'issues.digest');
    expect(digests.map(({ data }) => data.created)).toEqual([5_000, 5_000, 12_001 - 10_000 - 57]);
  }, 60_000);

  test('is one mail each for the first, then a digest', async () => {
    await choose({ mail_recipients: [acme.email] });
    await see(many(60));
    await eventually(async () => expect(await countOf('pending')).toBe(0), { deadlineMs: 20_000 });
    const subjects = api.mails.filter(({ to }) => to === acme.email).map(({ subject }) => subject);
    expect(subjects).toHaveLength(20);
    expect(subjects.at(-1)).toBe('[Acme] 41 more new issues');
  }, 30_000);
});

test('processes that look at the same time send each alert once', async () => {
  const seeds = [acme, await api.seed('Beta'), await api.seed('Gamma')];
  for (const seed of seeds) await choose({ webhook_url: receiver.url }, seed);
  for (let round = 0; round < 4; round++) for (const seed of seeds) await see([`r${round}`], seed);
  await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(12));
  for (const seed of seeds)
    await eventually(async () =>
      expect(await statuses(seed)).toEqual(['delivered', 'delivered', 'delivered', 'delivered']),
    );
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(12);
  expect(receiver.received).toHaveLength(12);
});

test("one project's receiver that does not answer holds no other's alerts", async () => {
  slow = await startReceiver();
  const waiting: (() => void)[] = [];
  slow.answer = (response) => waiting.push(() => response.writeHead(200).end());
  const dead: Seed[] = [];
  for (let n = 0; n < 5; n++) dead.push(await api.seed(`Dead${n}`));
  for (const seed of dead) {
    await choose({ webhook_url: slow.url }, seed);
    await see(many(10), seed);
  }
  await eventually(() => expect(waiting.length).toBeGreaterThanOrEqual(20));
  await choose({ webhook_url: receiver.url });
  await see(['f']);
  await eventually(async () => expect(await statuses()).toEqual(['delivered']), { deadlineMs: 4_000 });
  // At most four of a project at a time, of all processes together.
  expect(waiting).toHaveLength(20);
  waiting.forEach((answer) => answer());
});

test('a project whose alerts cannot be claimed holds up no other, and goes on a minute later', async () => {
  const broken = await api.seed('Broken');
  for (const seed of [broken, acme]) await choose({ webhook_url: receiver.url }, seed);
  await api.prisma.$executeRawUnsafe(
    `ALTER TABLE error_tracking_alert_deliveries ADD CONSTRAINT broken CHECK (project_id <> ${broken.projectId} OR attempts = 0)`,
  );
  try {
    await see(['f'], broken);
    await see(['f']);
    await untilStatuses('delivered');
    expect(await statuses(broken)).toEqual(['pending']);
  } finally {
    await api.prisma.$executeRaw`ALTER TABLE error_tracking_alert_deliveries DROP CONSTRAINT broken`;
  }
  aheadMs += 61_000;
  await eventually(async () => expect(await statuses(broken)).toEqual(['delivered']));
});

test('deliveries of more than 7 days ago are not shown, and removed', async () => {
  await choose({ webhook_url: receiver.url });
  await see(['f']);
  await untilStatuses('delivered');
  const path = `/api/projects/${acme.projectId}/error_tracking/alerts/deliveries`;
  expect((await api.as(acme.key).send('get', path)).body).toMatchObject({ count: 1 });
  const clock = { nowMs };
  await sweepDeliveries({ prisma: api.prisma, clock });
  expect(await deliveries()).toHaveLength(1);
  aheadMs += 7 * 24 * hourMs + 1_000;
  expect((await api.as(acme.key).send('get', path)).body).toMatchObject({ count: 0 });
  await sweepDeliveries({ prisma: api.prisma, clock });
  expect(await deliveries()).toEqual([]);
});
