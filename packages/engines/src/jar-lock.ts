import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A jar that belongs to the broker, with the hash of what Maven Central held when the lock was made. */
export interface LockedJar {
  group: string;
  name: string;
  version: string;
  /** SPDX expression, as its POM says. */
  license: string;
  /** In hexadecimal. */
  sha512: string;
}

/** The name of a jar's file, as Maven copies it. */
const fileOf = ({ name, version }: LockedJar): string => `${name}-${version}.jar`;

/**
 * Finds the errors of a folder that should hold exactly the locked jars, one line each: jars that are missing, that are
 * not in the lock, or whose content has another hash. Empty when there is no error. Reads every file (44 MB, some 0.1
 * s).
 */
export async function findForeignJars(folder: string, lock: readonly LockedJar[]): Promise<string[]> {
  const there = new Set(await readdir(folder));
  const errors: string[] = [];
  for (const jar of lock) {
    const file = fileOf(jar);
    if (!there.delete(file)) errors.push(`${file} is missing`);
    else if (
      createHash('sha512')
        .update(await readFile(join(folder, file)))
        .digest('hex') !== jar.sha512
    )
      errors.push(`${file} has another hash`);
  }
  return [...errors, ...[...there].map((file) => `${file} is not in the lock`)];
}
