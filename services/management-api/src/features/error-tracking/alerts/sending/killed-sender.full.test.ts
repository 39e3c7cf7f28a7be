import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { SMTPServer } from 'smtp-server';
import { startApiProcess, type ApiProcess } from '../../../../test/api-process.ts';
import { startTestApi, type Seed, type TestApi } from '../../../../test/test-api.ts';
import { startReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';

// A process that dies between sending and recording: nothing is lost, and a receiver knows the double by its id (contract/decisions 141).

let api: TestApi;
let acme: Seed;
let receiver: WebhookReceiver;
let smtp: SMTPServer;
let smtpUrl: string;
/** Called with the address of each mail before the server takes it. */
let onMail: (address: string) => Promise<unknown>;
const mailed: string[] = [];
const processes: ApiProcess[] = [];

beforeAll(async () => {
  // Its clock is behind: to this process nothing is ever due.
  api = await startTestApi({}, { clock: { nowMs: () => Date.now() - 3_600_000 } });
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const address = envelope.rcptTo[0]?.address ?? '';
      stream.resume().on('end', () => {
        mailed.push(address);
        void onMail(address).then(() => done());
      });
    },
  });
  smtp.on('error', () => undefined);
  const listening = smtp.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  smtpUrl = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`;
});
afterAll(async () => {
  smtp?.close();
  await api?.stop();
});
beforeEach(async () => {
  [acme, receiver] = [await api.seed('Acme'), await startReceiver()];
  onMail = () => Promise.resolve();
});
afterEach(async () => {
  receiver.close();
  for (const one of processes.splice(0)) await one.kill();
});

async function startProcess(): Promise<ApiProcess> {
  const settings = { ALERT_WEBHOOK_PRIVATE_ALLOWED: 'true', MAIL_SMTP_URL: smtpUrl };
  const started = await startApiProcess({ ...api.environment, ...settings });
  processes.push(started);
  return started;
}
async function see(): Promise<void> {
  const now = new Date().toISOString();
  const one = { project_id: acme.projectId, fingerprint: 'f', issue_id: crypto.randomUUID(), version: 1, makes: true };
  const seen = [{ ...one, name: 'TypeError', first_seen_at: now, received_at: now }];
  await api.prisma.$queryRaw`SELECT issue_id FROM see_issues(${JSON.stringify(seen)}::json)`;
}
const delivery = () => api.prisma.errorTrackingAlertDelivery.findFirstOrThrow({ where: { projectId: acme.projectId } });
/** As when the lease and the wait of the process that died are over. */
async function passTime(): Promise<void> {
  const where = { projectId: acme.projectId };
  await api.prisma.errorTrackingAlertDelivery.updateMany({ where, data: { nextAttemptAt: new Date() } });
  await api.prisma.errorTrackingAlertQueue.updateMany({ where, data: { claimedUntil: new Date() } });
}
const choose = (data: object) =>
  api.prisma.errorTrackingAlertSettings.create({ data: { projectId: acme.projectId, ...data } });

test('a webhook whose process died before it was recorded is sent again, with the same id', async () => {
  const first = await startProcess();
  let killed: Promise<void> | undefined;
  receiver.answer = () => void (killed = first.kill());
  await choose({ webhookUrl: receiver.url, webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
  await see();
  await eventually(() => expect(killed).toBeDefined());
  await killed;
  expect(await delivery()).toMatchObject({ status: 'pending', attempts: 1 });
  receiver.answer = (response) => response.writeHead(204).end();
  await startProcess();
  await passTime();
  await eventually(async () => expect(await delivery()).toMatchObject({ status: 'delivered', attempts: 2 }));
  expect(receiver.received).toHaveLength(2);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
}, 120_000);

test('a mail whose process died after the first recipient goes to the others alone', async () => {
  const email = `zoe-${acme.projectId}@example.com`;
  const { userId } = await api.admin.createUser({
    organizationId: acme.organizationId,
    email,
    firstName: 'Z',
    level: 1,
  });
  const first = await startProcess();
  let killed: Promise<void> | undefined;
  onMail = (address) => (address === email ? (killed = first.kill()) : Promise.resolve());
  await choose({ recipientIds: [acme.userId, userId] });
  await see();
  await eventually(() => expect(killed).toBeDefined());
  await killed;
  expect(await delivery()).toMatchObject({ status: 'pending', mailedIds: [acme.userId] });
  onMail = () => Promise.resolve();
  await startProcess();
  await passTime();
  await eventually(async () => expect((await delivery()).status).toBe('delivered'));
  expect(mailed.filter((address) => [acme.email, email].includes(address))).toEqual([acme.email, email, email]);
}, 120_000);
