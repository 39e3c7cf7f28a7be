import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { openQueryConnection } from '@millrace/clickhouse/query/query-connection.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { SMTPServer } from 'smtp-server';
import { createMailer } from './mail/mailer.ts';
import { mailSettings } from './mail/mail-settings.ts';
import { startTestApi, type TestApi } from './test/test-api.ts';

// No secret of an engine, a caller or a row reaches the log with an error that a real engine or library made.

let lines: string[];
const logger = createLogger('tested', 'warn', { destination: { write: (line) => void lines.push(line) } });
let api: TestApi;

beforeAll(async () => {
  lines = [];
  api = await startTestApi({}, { logger });
});
afterAll(() => api?.stop());

interface Line {
  msg: string;
  err: Record<string, unknown>;
}

/** Fields of every error in a line, its causes included. */
function fieldsOf(error: Record<string, unknown> | undefined): string[] {
  return error === undefined
    ? []
    : [...Object.keys(error), ...fieldsOf(error['cause'] as Record<string, unknown> | undefined)];
}

/** The one line that is logged of what the work throws. */
async function lineOf(work: () => Promise<unknown>): Promise<string> {
  const thrown: unknown = await work().catch((error: unknown) => error);
  lines = [];
  logger.error({ err: thrown }, 'failed');
  const [line = ''] = lines;
  expect(
    fieldsOf((JSON.parse(line) as Line).err).filter(
      (name) => !['type', 'message', 'code', 'stack', 'cause', 'errors'].includes(name),
    ),
  ).toEqual([]);
  return line;
}

describe('a connection to Postgres that is lost', () => {
  test('is logged with type, message and code; its cancel key, user and password are not', async () => {
    await api.as(undefined).send('get', '/api/projects/1/endpoints?personal_api_key=phx_nobody');
    await eventually(async () => {
      await api.prisma
        .$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'management-api' AND state = 'idle'`;
      expect(lines.filter((line) => line.includes('an idle connection to Postgres was lost'))).not.toEqual([]);
    });
    const line = lines.find((text) => text.includes('an idle connection to Postgres was lost')) ?? '';
    expect((JSON.parse(line) as Line).err).toEqual({
      type: expect.any(String),
      message: expect.stringContaining('terminat'),
      code: '57P01',
      stack: expect.any(String),
    });
    expect(line).not.toMatch(/secretKey|processID|connectionParameters|"user"/);
    expect(line).not.toContain(new URL(api.databaseUrl).password);
  });
});

describe('a wrong password', () => {
  const wrong = 'S3cr3t-of-nobody';

  test('of Postgres', async () => {
    const url = new URL(api.databaseUrl);
    url.username = 'nobody_at_all';
    url.password = wrong;
    const pool = createPool(url.href, { applicationName: 'test', max: 1, onError: () => undefined });
    const line = await lineOf(() => pool.query('SELECT 1'));
    await pool.end();
    expect(line).toContain('28');
    expect(line).not.toContain(wrong);
  });

  test('of ClickHouse, over either connection', async () => {
    const options = { url: api.clickhouse.url, user: 'tenant', password: wrong };
    const client = createClickhouse(options);
    const connection = openQueryConnection(options);
    const logged = [
      await lineOf(() => client.query({ query: 'SELECT 1' })),
      await lineOf(
        async () =>
          await client.insert({
            table: 'analytics.events',
            format: 'JSONEachRow',
            values: [{ properties_text: wrong }],
          }),
      ),
    ];
    await client.close();
    await connection.close();
    for (const line of logged) expect(line).toContain('516');
    for (const line of logged) expect(line).not.toContain(wrong);
  });

  test('of the mail server', async () => {
    const server = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ password }, _session, done) => done(new Error(`no such password: ${password}`)),
    });
    const listening = server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const address = `smtp://mill:${wrong}@127.0.0.1:${(listening.address() as AddressInfo).port}`;
    const mailer = createMailer(readConfig(mailSettings, { MAIL_FROM: 'mill@example.com', MAIL_SMTP_URL: address }), {
      clock: { nowMs: () => 0 },
      logger,
    });
    const line = await lineOf(() => mailer.send({ to: 'ann@example.com', subject: 'x', text: 'x' }));
    await mailer.close();
    await new Promise<void>((resolve) => server.close(resolve));
    expect(line).toContain('EAUTH');
    expect(line).not.toContain(wrong);
    expect(line).not.toContain(Buffer.from(`\0mill\0${wrong}`).toString('base64'));
  });
});

describe('what callers sent', () => {
  const email = 'S3cr3t@example.com';

  test('a unique key that is taken: neither Prisma nor Postgres reveals the value', async () => {
    const { organizationId } = await api.seed('Taken');
    await api.admin.createUser({ organizationId, email, firstName: 'A', level: 1 });
    const user = await api.prisma.user.findFirstOrThrow({ where: { email: { contains: 'cr3t@example.com' } } });
    const { id: _, ...columns } = user;
    const copy = { ...columns, uuid: randomUUID(), hedgehogConfig: {} };
    const pool = createPool(api.databaseUrl, { applicationName: 'test', max: 1, onError: () => undefined });
    const logged = [
      await lineOf(() => api.prisma.user.create({ data: copy })),
      await lineOf(() =>
        pool.query('INSERT INTO users (email, first_name) SELECT $1, $1 FROM users WHERE email = $1', [user.email]),
      ),
    ];
    await pool.end();
    expect(logged[0]).toContain('P2002');
    for (const line of logged) expect(line).not.toMatch(/s3cr3t/i);
  });

  test('arguments that Prisma does not understand', async () => {
    const where = { email, nothing: email };
    const line = await lineOf(async () => await api.prisma.user.findFirst({ where }));
    expect(line).toContain('PrismaClientValidationError');
    expect(line).not.toContain(email);
  });

  test('an address with a password, which fetch repeats in its error', async () => {
    const line = await lineOf(() => fetch('http://somebody:S3cr3t@127.0.0.1:1/'));
    expect(line).toContain('credentials');
    expect(line).not.toContain('S3cr3t');
  });
});
