import type { ClickhouseSecrets } from '@millrace/clickhouse/users/declared-users.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { optionalText } from '@millrace/runtime/settings.ts';

/** Engines for the tests that run elsewhere; unset, they are started for the run. */
export const testSettings = {
  postgresUrl: optionalText('MILLRACE_TEST_POSTGRES_URL', {
    description: "superuser's address of a Postgres for the tests; started by them unless set",
    secret: true,
  }),
  clickhouseUrl: optionalText('MILLRACE_TEST_CLICKHOUSE_URL', {
    description: 'address of a ClickHouse for the tests, without user; started by them unless set',
  }),
  clickhouseSecrets: optionalText('MILLRACE_TEST_CLICKHOUSE_SECRETS', {
    description: 'its passwords as JSON: admin, writer, tenant, materializer, maintainer, recorder, tokenSecret',
    secret: true,
  }),
};

/** Addresses of the engines of this test run. */
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
 * Reads `testSettings`. A given ClickHouse must have the users of users-document.ts.
 * @throws {Error} when a ClickHouse address comes without its secrets.
 */
export function readGivenEngines(): GivenEngines {
  const { postgresUrl, clickhouseUrl, clickhouseSecrets: secrets } = readConfig(testSettings, process.env);
  if (clickhouseUrl && !secrets)
    throw new Error('MILLRACE_TEST_CLICKHOUSE_URL needs MILLRACE_TEST_CLICKHOUSE_SECRETS beside it');
  return {
    ...(postgresUrl ? { postgresUrl } : {}),
    ...(clickhouseUrl && secrets
      ? { clickhouse: { url: clickhouseUrl, secrets: JSON.parse(secrets) as ClickhouseSecrets } }
      : {}),
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
    throw new Error(
      'There are no engines in this run: they start for *.integration.test.ts, *.full.test.ts and *.alone.test.ts. Rename the file, or run it with the global set-up.',
    );
  }
  return JSON.parse(text) as TestEngines;
}

/** The setting by which a process takes from Node's cache what another one has compiled, for those that inherit no environment. */
export function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE: folder } = process.env;
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
