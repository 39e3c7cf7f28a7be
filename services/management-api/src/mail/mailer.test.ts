import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '@millrace/runtime/config.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { SMTPServer } from 'smtp-server';
import { mailSettings } from './mail-settings.ts';
import { createMailer, MailError, type Mail, type Mailer } from './mailer.ts';

const clock = { nowMs: () => Date.UTC(2026, 0, 2, 3, 4, 5) };
const mail: Mail = { to: 'ann@example.com', subject: 'Grüße', text: 'Hello Ann,\n\n.\nBye', html: '<p>Hello Ann</p>' };
const mailerOf = (environment: Record<string, string>): Mailer =>
  createMailer(readConfig(mailSettings, { MAIL_FROM: 'Mill <mill@example.com>', ...environment }), {
    clock,
    logger: createLogger('test', 'silent'),
  });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-mail-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('without a mail server', () => {
  test('a message becomes a file of its own, readable by its owner alone, and nothing else is left', async () => {
    const outbox = join(folder, 'outbox');
    const mailer = mailerOf({ MAIL_OUTBOX_DIR: outbox });
    await Promise.all([mailer.send(mail), mailer.send({ ...mail, to: 'bob@example.com' })]);
    const files = readdirSync(outbox);
    expect(files).toEqual([
      expect.stringMatching(/^20260102T030405\.000Z-[0-9a-f]{12}\.eml$/),
      expect.stringMatching(/\.eml$/),
    ]);
    for (const file of files) expect(statSync(join(outbox, file)).mode & 0o777).toBe(0o600);
    expect(statSync(outbox).mode & 0o777).toBe(0o700);
    const text = readFileSync(join(outbox, files[0] ?? ''), 'utf8');
    expect(text).toMatch(/^From: Mill <mill@example\.com>\r$/m);
    expect(text).toMatch(/^Subject: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe\?=\r$/m);
    expect(text).toMatch(/^Date: Fri, 02 Jan 2026 03:04:05 \+0000\r$/m);
    expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(text).toContain('<p>Hello Ann</p>');
  });

  test('and without an outbox, it reports that it is not configured and refuses', async () => {
    const mailer = mailerOf({});
    expect(mailer.isConfigured).toBe(false);
    await expect(mailer.send(mail)).rejects.toThrow(MailError);
  });
});

describe('no field of a message becomes a header', () => {
  test.each(['ann@example.com\r\nBcc: eve@example.com', 'ann@example.com, eve@example.com', 'Ann <ann@example.com>'])(
    'the receiver %j is refused',
    async (to) => {
      await expect(mailerOf({ MAIL_OUTBOX_DIR: folder }).send({ ...mail, to })).rejects.toThrow(MailError);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('a subject with line ends stays a subject', async () => {
    await mailerOf({ MAIL_OUTBOX_DIR: folder }).send({ ...mail, subject: 'Join\r\nBcc: eve@example.com\r\n\r\nbody' });
    const [headers = ''] = readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8').split('\r\n\r\n');
    expect(headers).toMatch(/^Subject: Join Bcc: eve@example\.com body\r$/m);
    expect(headers).not.toMatch(/^Bcc:/m);
  });
});

describe('with a mail server', () => {
  let server: SMTPServer;
  let received: { from: string; to: string[]; text: string; user: unknown }[];
  let refuse: boolean;
  let address: string;

  beforeEach(async () => {
    received = [];
    refuse = false;
    server = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password }, _session, done) =>
        done(password === 'let:me@in' ? null : new Error('no'), { user: username }),
      onRcptTo: ({ address: to }, _session, done) => done(refuse ? new Error(`no such box: <${to}>`) : null),
      onData(stream, { envelope, user }, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          received.push({
            from,
            to: envelope.rcptTo.map((to) => to.address),
            text: Buffer.concat(chunks).toString(),
            user,
          });
          done();
        });
      },
    });
    const listening = server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    address = `smtp://mill:let%3Ame%40in@127.0.0.1:${(listening.address() as AddressInfo).port}`;
  });
  afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

  test('it is the server that gets the message, even when there is an outbox', async () => {
    const mailer = mailerOf({ MAIL_SMTP_URL: address, MAIL_OUTBOX_DIR: folder });
    await mailer.send(mail);
    await mailer.close();
    expect(received).toEqual([
      { from: 'mill@example.com', to: ['ann@example.com'], text: expect.stringContaining('Hello Ann'), user: 'mill' },
    ]);
    expect(received[0]?.text).toMatch(/^To: ann@example\.com\r$/m);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a stop waits for the message under way', async () => {
    const mailer = mailerOf({ MAIL_SMTP_URL: address });
    const sending = mailer.send(mail);
    await mailer.close();
    expect(received).toHaveLength(1);
    await sending;
  });

  test("the server's reason of a refusal can be logged: it names no address", async () => {
    refuse = true;
    const mailer = mailerOf({ MAIL_SMTP_URL: address });
    const error: unknown = await mailer.send(mail).catch((reason: unknown) => reason);
    await mailer.close();
    expect(error).toBeInstanceOf(MailError);
    expect(error).toMatchObject({
      message: expect.stringContaining('no such box: <[address]>'),
      code: 'EENVELOPE',
      responseCode: 550,
    });
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/ann@|example\.com/);
  });

  test('what the server refuses, and a server that is away, is an error', async () => {
    refuse = true;
    const mailer = mailerOf({ MAIL_SMTP_URL: address });
    await expect(mailer.send(mail)).rejects.toThrow(/no such box/);
    await mailer.close();
    const away = mailerOf({ MAIL_SMTP_URL: 'smtp://127.0.0.1:1' });
    await expect(away.send(mail)).rejects.toThrow(/ECONNREFUSED/);
    await away.close();
    expect(received).toEqual([]);
  });
});

test('the sender must be an address', () => {
  expect(() => mailerOf({ MAIL_FROM: 'nobody' })).toThrow(/MAIL_FROM must be a mail address/);
});
