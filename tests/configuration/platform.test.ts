import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/launcher.ts';

interface Machine {
  platform: string;
  arch: string;
  libc: string;
}

/** Run by the same Node as scripts/run.mjs, outside of Jest: the file is no TypeScript. */
function adviceFor(machine: Machine | null): string | null {
  const program = `
    import { platformAdvice, thisMachine } from ${JSON.stringify(join(root, 'scripts/platform.mjs'))};
    console.log(JSON.stringify(platformAdvice(${machine === null ? 'thisMachine()' : JSON.stringify(machine)})));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  return JSON.parse(stdout) as string | null;
}

const glibc = 'glibc';

test('Linux on x86-64 with glibc is told nothing, and so is this machine', () => {
  expect(adviceFor({ platform: 'linux', arch: 'x64', libc: glibc })).toBeNull();
  expect(adviceFor(null)).toBeNull();
});

test.each([
  [
    { platform: 'darwin', arch: 'arm64', libc: glibc },
    'macOS on arm64',
    ['limactl start', 'emulates', 'docker compose'],
    ['wsl'],
  ],
  [
    { platform: 'darwin', arch: 'x64', libc: glibc },
    'macOS on x86-64',
    ['limactl start', 'docker compose'],
    ['emulates'],
  ],
  [
    { platform: 'win32', arch: 'x64', libc: glibc },
    'Windows on x86-64',
    ['wsl --install', 'docker compose'],
    ['limactl'],
  ],
  [
    { platform: 'win32', arch: 'arm64', libc: glibc },
    'Windows on arm64',
    ['docker compose'],
    ['wsl --install', 'limactl'],
  ],
  [{ platform: 'linux', arch: 'arm64', libc: glibc }, 'Linux on arm64', ['docker compose'], ['docker run', 'limactl']],
  [
    { platform: 'linux', arch: 'x64', libc: 'musl' },
    'Linux on x86-64 with musl',
    ['docker run', 'docker compose'],
    ['wsl'],
  ],
  [{ platform: 'linux', arch: 'arm64', libc: 'musl' }, 'Linux on arm64 with musl', ['docker compose'], ['docker run']],
])('%j: one screen says what works there and nothing that does not', (machine, name, has, hasNot) => {
  const advice = adviceFor(machine) ?? '';
  expect(advice.split('\n').length).toBeLessThanOrEqual(24);
  for (const line of advice.split('\n')) expect(line.length).toBeLessThanOrEqual(130);
  expect(advice).toContain(`This machine is ${name}.`);
  for (const word of has) expect(advice).toContain(word);
  for (const word of hasNot) expect(advice).not.toContain(word);
  // Files that it names are there.
  for (const [, file = ''] of advice.matchAll(/\b((?:infra|docs)\/[\w/.-]+\.(?:env|md))/g))
    expect([file, existsSync(join(root, file))]).toEqual([file, true]);
  expect(readFileSync(join(root, 'docs/production.md'), 'utf8')).toContain('\n## Start\n');
});
