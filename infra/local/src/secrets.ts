import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ClickhouseSecrets } from '@millrace/clickhouse/users/declared-users.ts';
import type { PostgresRole } from '@millrace/postgres/role-passwords.ts';
import { readJson, writePrivateJson } from './data-folder.ts';

/** Passwords of the engines' users, generated once for a data folder and stored in it (mode 0600). */
export interface Secrets {
  postgres: Record<'superuser' | PostgresRole, string>;
  clickhouse: ClickhouseSecrets;
  /** Signs the addresses of the object storage. */
  storage: { signing: string };
}

/** Reads the secrets of a data folder. Missing ones are generated: all in a new folder, those of new users after an upgrade. */
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
