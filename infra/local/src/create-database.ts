import pg from 'pg';

/** invalid_catalog_name. */
const noDatabase = '3D000';

/** The first release that has a locale of its own, which folds all letters and sorts by bytes on every machine. */
const withBuiltinLocale = 170_000;

/** Makes the database that the address names, when it is not there. */
export async function createDatabase(postgresUrl: string): Promise<void> {
  try {
    return await (await connectTo(postgresUrl)).end();
  } catch (error) {
    if (!isWithoutDatabase(error)) throw error;
  }
  const client = await connectTo(maintenanceUrl(postgresUrl));
  try {
    const name = decodeURIComponent(new URL(postgresUrl).pathname.slice(1));
    const version = await client.query<{ number: number }>(
      "SELECT current_setting('server_version_num')::int AS number",
    );
    const isBuiltin = (version.rows[0]?.number ?? 0) >= withBuiltinLocale;
    const locale = isBuiltin ? " LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'" : '';
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE template0 ENCODING 'UTF8'${locale}`);
  } finally {
    await client.end();
  }
}

/** A connection that waits ten seconds at most. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'millrace-launcher',
    connectionTimeoutMillis: 10_000,
  });
  // A lost connection is seen by the query under way; without a listener it would also end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The server's own database, by which others are made. */
export function maintenanceUrl(postgresUrl: string): string {
  const url = new URL(postgresUrl);
  url.pathname = '/postgres';
  return url.href;
}

/** Whether the server is there and lets in, and the database is not. */
export const isWithoutDatabase = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === noDatabase;
