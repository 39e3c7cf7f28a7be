import { randomBytes, randomInt } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import { testEngines } from './config.ts';
import { oncePerRun } from './test-postgres.ts';

interface ClickhouseLogin {
  username: string;
  password: string;
}

export interface TestClickhouse {
  /** `http://127.0.0.1:<port>`, without credentials. */
  url: string;
  admin: ClickhouseLogin;
  writer: ClickhouseLogin;
  tenant: ClickhouseLogin;
  materializer: ClickhouseLogin;
  maintainer: ClickhouseLogin;
  recorder: ClickhouseLogin;
  /** Secret of tenants' tokens (clickhouse/tenant-token.ts). */
  tokenSecret: string;
}

/**
 * The run's ClickHouse. Its row policies are on database `analytics`, which all suites share: make it with
 * `prepareClickhouse`, and keep apart by team ids of your own (`randomTeamId`).
 */
export function testClickhouse(): TestClickhouse {
  const { clickhouseUrl: url, clickhouseSecrets: secrets } = testEngines();
  const login = (
    username: 'admin' | 'writer' | 'tenant' | 'materializer' | 'maintainer' | 'recorder',
  ): ClickhouseLogin => ({ username, password: secrets[username] });
  return {
    url,
    admin: login('admin'),
    writer: login('writer'),
    tenant: login('tenant'),
    materializer: login('materializer'),
    maintainer: login('maintainer'),
    recorder: login('recorder'),
    tokenSecret: secrets.tokenSecret,
  };
}

/** Runs the migrations once in a whole run, for all suites: the first caller does it, the others wait. */
export async function prepareClickhouse(
  migrate: (clickhouse: TestClickhouse) => Promise<void>,
): Promise<TestClickhouse> {
  const clickhouse = testClickhouse();
  await oncePerRun('clickhouse', () => migrate(clickhouse));
  return clickhouse;
}

/** A team id that no other suite has: safe as a JSON number and as a Postgres integer. */
export function randomTeamId(): number {
  return randomInt(1_000_000, 2_000_000_000);
}

/** An empty database of its own, for `admin`; without row policies. */
export async function createClickhouseDatabase(): Promise<{ name: string; url: string; drop(): Promise<void> }> {
  const { url, admin } = testClickhouse();
  const name = `test_${randomBytes(5).toString('hex')}`;
  await command(`CREATE DATABASE ${name}`);
  return { name, url, drop: () => command(`DROP DATABASE IF EXISTS ${name} SYNC`) };

  async function command(query: string): Promise<void> {
    const client = createClient({ url, ...admin });
    await client.command({ query }).finally(() => client.close());
  }
}
