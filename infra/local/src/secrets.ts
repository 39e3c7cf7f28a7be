import { randomBytes } from 'node:crypto';
import { readJson, writePrivateJson } from './data-folder.ts';

/** Passwords of the engines' users, made once for a data folder and kept in it (mode 0600). */
export interface Secrets {
  postgresSuperuser: string;
  postgresCapture: string;
  postgresConsumer: string;
  postgresManagement: string;
  clickhouseAdmin: string;
  clickhouseWriter: string;
  clickhouseTenant: string;
  clickhouseMaterializer: string;
  /** What tenant tokens are signed with; only the row policies and management-api know it. */
  tenantTokenSecret: string;
}

const names: readonly (keyof Secrets)[] = [
  'postgresSuperuser', 'postgresCapture', 'postgresConsumer', 'postgresManagement',
  'clickhouseAdmin', 'clickhouseWriter', 'clickhouseTenant', 'clickhouseMaterializer', 'tenantTokenSecret',
];

/** Reads the secrets of a data folder; makes those that are missing. */
export function loadSecrets(file: string): Secrets {
  const known = readJson<Partial<Secrets>>(file) ?? {};
  const secrets = Object.fromEntries(names.map((name) => [name, known[name] ?? randomBytes(24).toString('hex')]));
  if (names.some((name) => known[name] === undefined)) writePrivateJson(file, secrets);
  return secrets as unknown as Secrets;
}
