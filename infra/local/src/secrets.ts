import { randomBytes } from 'node:crypto';
import type { ClickhouseSecrets } from '@millrace/clickhouse/users-document.ts';
import type { PostgresRole } from '@millrace/postgres/role-passwords.ts';
import { readJson, writePrivateJson } from './data-folder.ts';

/** Passwords of the engines' users, made once for a data folder and kept in it (mode 0600). */
export interface Secrets {
  postgres: Record<'superuser' | PostgresRole, string>;
  clickhouse: ClickhouseSecrets;
}

/** Reads the secrets of a data folder, or makes them. */
export function loadSecrets(file: string): Secrets {
  const known = readJson<Secrets>(file);
  if (known !== undefined) return known;
  const random = (): string => randomBytes(24).toString('hex');
  const secrets: Secrets = {
    postgres: { superuser: random(), capture: random(), consumer: random(), management: random() },
    clickhouse: { admin: random(), writer: random(), tenant: random(), materializer: random(), tokenSecret: random() },
  };
  writePrivateJson(file, secrets);
  return secrets;
}
