import pg from 'pg';

/** invalid_catalog_name. */
const noDatabase = '3D000';

/** First release with the builtin locale provider, which folds all letters and sorts by bytes on every machine. */
const withBuiltinLocale = 170_000;

/** Creates the database of the address unless it exists. */
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

/** Connects within ten seconds. @throws what `pg` throws */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'millrace-launcher',
    connectionTimeoutMillis: 10_000,
  });
  // The running query fails when the connection is lost. Without a listener the event would also end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** The address of the server's own database, which is used to create others. Pure. */
export function maintenanceUrl(postgresUrl: string): string {
  const url = new URL(postgresUrl);
  url.pathname = '/postgres';
  return url.href;
}

/** True when the server accepted the login and the database does not exist. */
export const isWithoutDatabase = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === noDatabase;
