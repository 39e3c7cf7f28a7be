import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findForeignJars, type LockedJar } from './jar-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-jars-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const jar = (name: string, content: string): LockedJar => ({
  group: 'g',
  name,
  version: '1',
  license: 'MIT',
  sha512: createHash('sha512').update(content).digest('hex'),
});

test('jars with the hashes of the lock are taken; one that is other, missing or more is named', async () => {
  const lock = [jar('a', 'one'), jar('b', 'two')];
  writeFileSync(join(folder, 'a-1.jar'), 'one');
  writeFileSync(join(folder, 'b-1.jar'), 'two');
  expect(await findForeignJars(folder, lock)).toEqual([]);
  writeFileSync(join(folder, 'b-1.jar'), 'twO');
  writeFileSync(join(folder, 'c-1.jar'), '');
  expect(await findForeignJars(folder, [...lock, jar('d', '')])).toEqual([
    'b-1.jar has another hash',
    'd-1.jar is missing',
    'c-1.jar is not in the lock',
  ]);
});
