import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ClickhouseSecrets } from '@millrace/clickhouse/users/declared-users.ts';
import type { PostgresRole } from '@millrace/postgres/role-passwords.ts';
import { readJson, writePrivateJson } from './data-folder.ts';

/** Passwords of the engines' users, made once for a data folder and kept in it (mode 0600). */
export interface Secrets {
  postgres: Record<'superuser' | PostgresRole, string>;
  clickhouse: ClickhouseSecrets;
  /** Signs the addresses of the object storage. */
  storage: { signing: string };
}

/** Reads the secrets of a data folder; makes those that it does not hold: all, or those of users that came with this release. */
export function loadSecrets(file: string): Secrets {
  const known = readJson<Partial<Secrets>>(file);
  const random = (): string => randomBytes(24).toString('hex');
  const secrets: Secrets = {
    ...known,
    postgres: { superuser: random(), capture: random(), consumer: random(), management: random(), ...known?.postgres },
    clickhouse: {
      admin: random(),
      writer: random(),
      tenant: random(),
      materializer: random(),
      maintainer: random(),
      recorder: random(),
      tokenSecret: random(),
      ...known?.clickhouse,
    },
    storage: { signing: random(), ...known?.storage },
  };
  if (!isDeepStrictEqual(known, secrets)) writePrivateJson(file, secrets);
  return secrets;
}
