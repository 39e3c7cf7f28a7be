import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

// A measurement takes minutes, and no other test starts it: a script that was moved would be missed when somebody measures.
test('the scripts that measurements start as processes exist', () => {
  const started = globSync('**/*.ts', { cwd: import.meta.dirname }).flatMap((file) => [
    ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/startChild\('([^']+)'/g),
  ]);
  const scripts = [...new Set(started.map(([, script = '']) => script))];
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((script) => !existsSync(join(import.meta.dirname, script)))).toEqual([]);
});
