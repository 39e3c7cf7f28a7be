import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';

/** The roles that the migrations make, one for each service (their grants: migration `roles`). */
export const postgresRoles = {
  capture: 'millrace_capture',
  consumer: 'millrace_consumer',
  management: 'millrace_management',
} as const;

export type PostgresRole = keyof typeof postgresRoles;

const attemptsMax = 10;

/**
 * Lets the given roles log in with these passwords (printable ASCII). Roles belong to the cluster: it holds for all of
 * its databases. `adminUrl` needs CREATEROLE. Only salted hashes are sent, so no password shows in the server's log.
 */
export async function setRolePasswords(
  adminUrl: string,
  passwords: Partial<Record<PostgresRole, string>>,
): Promise<void> {
  const client = new pg.Client({
    connectionString: adminUrl,
    application_name: 'millrace-roles',
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    for (const [role, name] of Object.entries(postgresRoles) as [PostgresRole, string][]) {
      const password = passwords[role];
      if (password !== undefined) await alterRole(client, name, scramVerifier(password));
    }
  } finally {
    await client.end();
  }
}

/** The URL of the same database for another role. */
export function roleUrl(adminUrl: string, role: PostgresRole, password: string): string {
  const url = new URL(adminUrl);
  url.username = postgresRoles[role];
  url.password = encodeURIComponent(password);
  return url.href;
}

// Two that alter one role at the same moment: Postgres refuses the second instead of letting it wait.
async function alterRole(client: pg.Client, name: string, verifier: string): Promise<void> {
  const sql = `ALTER ROLE ${client.escapeIdentifier(name)} LOGIN PASSWORD ${client.escapeLiteral(verifier)}`;
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(sql);
      return;
    } catch (error) {
      const concurrent = error instanceof pg.DatabaseError && error.message.includes('tuple concurrently updated');
      if (!concurrent || attempt === attemptsMax) throw error;
    }
  }
}

/** The form in which Postgres stores a password (RFC 5803). */
function scramVerifier(password: string): string {
  if (!/^[\x21-\x7e]+$/.test(password))
    throw new Error('a role password must be of printable ASCII characters, without spaces');
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}
