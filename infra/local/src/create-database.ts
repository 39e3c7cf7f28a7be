import pg from 'pg';

/** Makes the database that the address names, when it is not there. */
export async function createDatabase(postgresUrl: string): Promise<void> {
  const server = new URL(postgresUrl);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.href, application_name: 'millrace-launcher' });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
