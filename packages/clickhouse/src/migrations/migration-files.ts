import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitStatements } from './split-statements.ts';

/** One migration: a file `<UTC timestamp>_<name>.sql`. */
export interface MigrationFile {
  /** Name of the file without its ending. */
  name: string;
  /** With placeholders, see `printMigration`. */
  sql: string;
  /** sha256 of the file, in hex. */
  checksum: string;
}

/** Servers that replicate: tables are made on every node of this cluster, with replicating engines. */
export interface Replication {
  cluster: string;
}

/** Folder of this package's migrations. */
export const migrationsFolder = join(import.meta.dirname, '../../migrations');

/** The migrations of a folder, oldest first. @throws {Error} for a file whose name does not begin with a timestamp. */
export function readMigrations(folder: string = migrationsFolder): MigrationFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      if (!/^\d{14}_\w+\.sql$/.test(file)) throw new Error(`${file} is not named <YYYYMMDDhhmmss>_<name>.sql`);
      const sql = readFileSync(join(folder, file), 'utf8');
      return { name: file.slice(0, -'.sql'.length), sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/**
 * The statements of a migration for one kind of server. `{engine:X}` becomes `X` or `ReplicatedX`, `{on_cluster}` the
 * cluster's clause or nothing. Pure.
 * @throws {Error} when the name of the cluster is not a plain one.
 */
export function printMigration(sql: string, replication: Replication | null): string[] {
  if (replication && !/^\w+$/.test(replication.cluster))
    throw new Error(`not a plain name of a cluster: ${replication.cluster}`);
  const printed = sql
    .replace(/\{engine:(\w+)\}/g, (_, engine: string) => (replication ? `Replicated${engine}` : engine))
    .replaceAll('{on_cluster}', replication ? `ON CLUSTER ${replication.cluster}` : '');
  return splitStatements(printed);
}
