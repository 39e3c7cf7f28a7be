import { afterAll, beforeAll } from '@jest/globals';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import { type ClickhouseEngine, startClickhouse } from '@millrace/engines/clickhouse.ts';
import { query, serverSecrets } from '../query/test-server.ts';
import { buildUsersXml } from '../users/users-document.ts';
import { migrateClickhouse } from './migrate.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: ClickhouseEngine;

/** The suite runs on a migrated server of its own with so much memory. */
export function onServerOf(memoryBytesMax: number): void {
  beforeAll(async () => {
    folder = await temporaryFolder();
    engine = await startClickhouse({
      dataDir: folder.path,
      usersDocument: buildUsersXml({ secrets: serverSecrets, from: 'loopback' }),
      login: { user: 'admin', password: serverSecrets.admin },
      memoryBytesMax,
    });
    await migrateClickhouse(
      { url: engine.url, user: 'admin', password: serverSecrets.admin },
      { log: { info: () => {} } },
    );
  });
  afterAll(async () => {
    await engine.stop();
    await folder.remove();
  });
}

/** A statement of the administrator. */
export const asAdmin = (sql: string): Promise<string> => query(engine.url, 'admin', sql);

/** An expression of a map with forty texts that do not compress. */
export const map =
  'mapFromArrays(arrayMap(k -> toString(k), range(40)), arrayMap(k -> hex(SHA256(toString((number, k)))), range(40)))';

/** The form and number of the active parts of a table, and their rows. */
export const partsOf = (table: string): Promise<string> =>
  asAdmin(
    `SELECT part_type, count(), sum(rows) FROM system.parts WHERE active AND table = '${table}' GROUP BY part_type`,
  );
