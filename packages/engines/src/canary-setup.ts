import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickhouse, type ClickhouseEngine } from './clickhouse.ts';
import type { ClickhouseSecrets } from './clickhouse-users.ts';

// For the canary tests only: they ask the engines themselves, with nothing of ours but the launcher between.

export const canarySecrets: ClickhouseSecrets = {
  admin: `admin ${randomBytes(4).toString('hex')} <&>`,
  writer: 'writer-password',
  tenant: 'tenant-password',
  materializer: 'materializer-password',
  tokenSecret: randomBytes(16).toString('hex'),
};

/** Tables that the row policies stand on; each test makes those that it needs. */
export const canaryTables = ['events', 'persons'] as const;

export type CanaryUser = 'admin' | 'writer' | 'tenant' | 'materializer';

/** A folder with a space in its name, open for the user that Postgres runs as; `remove` takes it away. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'millrace canary '));
  await chmod(path, 0o711);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export async function startCanary(folder: string): Promise<ClickhouseEngine> {
  return await startClickhouse({ dataDir: join(folder, 'clickhouse'), secrets: canarySecrets, tenantTables: canaryTables });
}

export interface Asking {
  settings?: Record<string, string | number>;
  /** What follows the statement: the rows of an insert. */
  body?: string | Uint8Array<ArrayBuffer>;
}

/**
 * Sends one statement over HTTP and answers the reply's text.
 * @throws {Error} with ClickHouse's own message when it refuses.
 */
export async function ask(url: string, user: CanaryUser, statement: string, { settings = {}, body }: Asking = {}): Promise<string> {
  const query = new URLSearchParams(Object.entries(settings).map(([name, value]): [string, string] => [name, String(value)]));
  if (body !== undefined) query.set('query', statement);
  const authorization = `Basic ${Buffer.from(`${user}:${canarySecrets[user]}`).toString('base64')}`;
  const reply = await fetch(`${url}/?${query.toString()}`, { method: 'POST', headers: { authorization }, body: body ?? statement });
  const text = await reply.text();
  if (!reply.ok) throw new Error(text);
  return text.trimEnd();
}

/** What opens one team's rows: the rule of the row policies, from the sender's side. */
export function tokenOf(teamId: number): string {
  const k = canarySecrets.tokenSecret;
  return `${teamId}.${createHash('sha256').update(`${k}:${teamId}:${k}`).digest('hex')}`;
}

/** As a tenant's query is sent: with the token of its team. */
export async function askAsTeam(url: string, teamId: number, statement: string, settings: Record<string, string | number> = {}): Promise<string> {
  return await ask(url, 'tenant', statement, { settings: { log_comment: tokenOf(teamId), ...settings } });
}
