import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

// In a process of its own: jest gives its tests another String.
const script = `
  const isFast = new Function('return %HasFastProperties(String.prototype)');
  await import('ioredis');
  const before = isFast();
  const { makeStringsFast } = await import('./fast-strings.ts');
  makeStringsFast();
  console.log(JSON.stringify([before, isFast()]));
`;

test('what ioredis does to the methods of all texts is undone', () => {
  const flags = [
    '--allow-natives-syntax',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    script,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, flags, {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: {},
  });
  // Should the first be true one day, all of this can go.
  expect([stderr, stdout.trim()]).toEqual(['', '[false,true]']);
});
