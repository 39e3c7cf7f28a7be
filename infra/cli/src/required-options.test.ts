import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const main = join(import.meta.dirname, 'main.ts');

test('the help marks what is required, and nothing else', () => {
  const help = execFileSync(process.execPath, [main, 'projects', 'create', '--help'], { encoding: 'utf8' });
  const marked = [...help.matchAll(/^ +(--[a-z-]+) .*\(required\)$/gm)].map(([, name]) => name);
  expect(marked).toEqual(['--organization', '--name']);
});

test('the error names all missing options at once, before the command looks for a system', () => {
  const run = spawnSync(process.execPath, [main, 'users', 'create', '--level', '8'], {
    env: { MILLRACE_DATA_DIR: '/nowhere' },
    encoding: 'utf8',
  });
  expect([run.status, run.stdout]).toEqual([1, '']);
  for (const name of ['--organization <id>', '--email <email>', '--first-name <name>'])
    expect(run.stderr).toContain(name);
  expect(run.stderr).toContain('millrace users create needs also:');
  expect(run.stderr).not.toMatch(/--level|nowhere/);
});
