import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One migration of the folder. */
export interface MigrationFile {
  /** Name of its folder: `<timestamp>_<name>`. */
  name: string;
  sql: string;
  /** sha256 of the file, in hex, as Prisma computes it. */
  checksum: string;
}

/** Folder of this package's migrations, in Prisma's layout. */
export const migrationsFolder = join(import.meta.dirname, '../prisma/migrations');

/** The migrations of a folder in Prisma's layout, oldest first. */
export function readMigrations(folder: string = migrationsFolder): MigrationFile[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}
