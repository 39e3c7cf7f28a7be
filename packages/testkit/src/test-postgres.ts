import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { testEngines, type TestEngines } from './config.ts';

export interface TestDatabase {
  /** Superuser's address of this database. */
  url: string;
  /** Ends what is connected to it, and drops it. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Name of the template: suites that migrate in the same way share one. Lower-case letters, digits, `_`. */
  template: string;
  /** Makes the schema in an empty database, and closes its connections. Called once a run for each template name. */
  migrate: (url: string) => Promise<void>;
}

/**
 * A database of its own for a suite: a clone of the template, about 50 ms. The first caller of all workers makes the
 * template, the others wait for it.
 */
export async function createTestDatabase({ template, migrate }: TestDatabaseOptions): Promise<TestDatabase> {
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(template)) throw new Error(`not a template's name: ${template}`);
  const engines = testEngines();
  const templateName = `${namePrefix(engines)}template_${template}`;
  await oncePerRun(templateName, async () => {
    const unfinished = `${templateName}_new`;
    await asAdmin(engines, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${unfinished}`);
    });
    await migrate(databaseUrl(engines, unfinished));
    await asAdmin(engines, (client) => client.query(`ALTER DATABASE ${unfinished} RENAME TO ${templateName}`));
  });
  return await createDatabase(engines, templateName);
}

/** An empty database of its own: for tests of migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return await createDatabase(testEngines(), 'template0');
}

/**
 * Does the work once in a whole run, whichever worker comes first; the others wait until it is done. When it throws, the
 * next caller tries again.
 */
export async function oncePerRun(name: string, work: () => Promise<void>): Promise<void> {
  const engines = testEngines();
  await asAdmin(engines, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`${engines.run}:${name}`]);
    // Two names may come first at the same moment, and both would create the table: in one transaction with a lock they do not.
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('millrace_test_done', 0));
      CREATE TABLE IF NOT EXISTS millrace_test_done (run text, name text, PRIMARY KEY (run, name))`);
    const done = await client.query('SELECT FROM millrace_test_done WHERE run = $1 AND name = $2', [engines.run, name]);
    if (done.rowCount !== 0) return;
    await work();
    await client.query('INSERT INTO millrace_test_done VALUES ($1, $2)', [engines.run, name]);
  });
}

/** Drops all databases that the run made, for a server that outlives it. */
export async function dropDatabasesOf(engines: TestEngines): Promise<void> {
  await asAdmin(engines, async (client) => {
    const names = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [namePrefix(engines)],
    );
    for (const { datname } of names.rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
    await client.query('DELETE FROM millrace_test_done WHERE run = $1', [engines.run]);
  });
}

async function createDatabase(engines: TestEngines, template: string): Promise<TestDatabase> {
  const name = `${namePrefix(engines)}${randomBytes(5).toString('hex')}`;
  await asAdmin(engines, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    url: databaseUrl(engines, name),
    drop: async () =>
      void (await asAdmin(engines, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))),
  };
}

async function asAdmin<T>(engines: TestEngines, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: engines.postgresUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(engines: TestEngines, name: string): string {
  const url = new URL(engines.postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function namePrefix(engines: TestEngines): string {
  return `millrace_test_${engines.run}_`;
}
