import type { ClickhouseSecrets } from '@millrace/engines/clickhouse-users.ts';

/** Where the engines of this test run are. */
export interface TestEngines {
  /** Set by us for one run: names of what a run makes begin with it. */
  run: string;
  /** Superuser's address of a Postgres. */
  postgresUrl: string;
  clickhouseUrl: string;
  clickhouseSecrets: ClickhouseSecrets;
}

/** Addresses given by the caller in place of engines that we would start. */
export interface GivenEngines {
  postgresUrl?: string;
  clickhouse?: { url: string; secrets: ClickhouseSecrets };
}

const handedOver = 'MILLRACE_TEST_ENGINES';

/**
 * Reads `MILLRACE_TEST_POSTGRES_URL` and `MILLRACE_TEST_CLICKHOUSE_URL` with `MILLRACE_TEST_CLICKHOUSE_SECRETS` (JSON:
 * admin, writer, tenant, materializer, tokenSecret; the server must have those users, see clickhouse-users.ts).
 * @throws {Error} when a ClickHouse address comes without its secrets.
 */
export function readGivenEngines(): GivenEngines {
  const postgresUrl = process.env['MILLRACE_TEST_POSTGRES_URL'];
  const clickhouseUrl = process.env['MILLRACE_TEST_CLICKHOUSE_URL'];
  const secrets = process.env['MILLRACE_TEST_CLICKHOUSE_SECRETS'];
  if (clickhouseUrl && !secrets) throw new Error('MILLRACE_TEST_CLICKHOUSE_URL needs MILLRACE_TEST_CLICKHOUSE_SECRETS beside it');
  return {
    ...(postgresUrl ? { postgresUrl } : {}),
    ...(clickhouseUrl && secrets ? { clickhouse: { url: clickhouseUrl, secrets: JSON.parse(secrets) as ClickhouseSecrets } } : {}),
  };
}

/** Global set-up hands the addresses to the processes of the suites. */
export function handOverEngines(engines: TestEngines): void {
  process.env[handedOver] = JSON.stringify(engines);
}

/**
 * Addresses of the engines, in a suite.
 * @throws {Error} when global set-up did not start them for this kind of test file.
 */
export function testEngines(): TestEngines {
  const text = process.env[handedOver];
  if (!text) {
    throw new Error('There are no engines in this run: they start for *.integration.test.ts, *.full.test.ts and files below tests/. Rename the file, or run it with the global set-up.');
  }
  return JSON.parse(text) as TestEngines;
}
