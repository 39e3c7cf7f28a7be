import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { release } from '@millrace/runtime/release.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('each package.json is of the release that the services name', () => {
  const files = globSync('{package.json,tests/package.json,{services,packages,infra}/*/package.json}', { cwd: root });
  const versions = files.map((file) => [file, (JSON.parse(read(file)) as { version: string }).version]);
  expect(versions.length).toBeGreaterThan(15);
  expect(versions.filter(([, version]) => version !== release)).toEqual([]);
});

test('CHANGELOG.md begins with the release', () => {
  expect(/^## (.*)$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(release);
});
