import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickhouse, type ClickhouseEngine, type ClickhouseLogin } from './clickhouse.ts';

// For the canary tests only: they talk to the engines directly, to see that a new release of these still does what we rely on.

/** Users of the canary tests; `admin` may do everything. */
export const canaryPasswords = { admin: `admin ${randomBytes(4).toString('hex')} <&>`, writer: 'writer-password' };

export type CanaryUser = keyof typeof canaryPasswords;

/** Options of every start of the canary tests' ClickHouse. */
export const canaryOptions = {
  usersDocument: `<clickhouse><users>
<admin><password>${canaryPasswords.admin.replace('<&>', '&lt;&amp;&gt;')}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></admin>
<writer><password>${canaryPasswords.writer}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota><grants><query>GRANT SELECT, INSERT ON analytics.*</query></grants></writer>
</users></clickhouse>`,
  login: { user: 'admin', password: canaryPasswords.admin },
};

/** A folder with a space in its name, open for the user that Postgres runs as; `remove` takes it away. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'millrace canary '));
  await chmod(path, 0o711);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export async function startCanary(folder: string): Promise<ClickhouseEngine> {
  return await startClickhouse({ dataDir: join(folder, 'clickhouse'), ...canaryOptions });
}

export interface QueryOptions {
  settings?: Record<string, string | number>;
  headers?: Record<string, string>;
  /** Bytes after the statement, for the rows of an insert. */
  body?: string | Uint8Array<ArrayBuffer>;
}

/**
 * Sends one statement over HTTP and returns the reply's text.
 * @throws {Error} with ClickHouse's own message when it refuses.
 */
export async function queryAs(
  { user, password }: ClickhouseLogin,
  url: string,
  statement: string,
  { settings = {}, headers = {}, body }: QueryOptions = {},
): Promise<string> {
  const query = new URLSearchParams(
    Object.entries(settings).map(([name, value]): [string, string] => [name, String(value)]),
  );
  if (body !== undefined) query.set('query', statement);
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const reply = await fetch(`${url}/?${query.toString()}`, {
    method: 'POST',
    headers: { ...headers, authorization },
    body: body ?? statement,
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(text);
  return text.trimEnd();
}

/** As `askAs`, as one of the canary tests' users. */
export async function query(url: string, user: CanaryUser, statement: string, options?: QueryOptions): Promise<string> {
  return await queryAs({ user, password: canaryPasswords[user] }, url, statement, options);
}
