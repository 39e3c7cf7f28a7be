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
function adviceFor(machine: Machine | null, given = { clickhouse: false, postgres: false }): string | null {
  const program = `
    import { platformAdvice, thisMachine } from ${JSON.stringify(join(root, 'scripts/platform.mjs'))};
    console.log(JSON.stringify(platformAdvice(${machine === null ? 'thisMachine()' : JSON.stringify(machine)}, ${JSON.stringify(given)})));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  return JSON.parse(stdout) as string | null;
}

const glibc = 'glibc';

test('Linux on x86-64 with glibc gets no message, and neither does this machine', () => {
  expect(adviceFor({ platform: 'linux', arch: 'x64', libc: glibc })).toBeNull();
  expect(adviceFor(null)).toBeNull();
});

const allInOne = '--file infra/docker/all-in-one/Dockerfile';
const ownEngines = 'MILLRACE_CLICKHOUSE_URL=';

test.each([
  [
    { platform: 'darwin', arch: 'arm64', libc: glibc },
    'macOS on arm64',
    ['limactl start', 'emulates', ownEngines, 'docker compose'],
    ['wsl', allInOne],
  ],
  [
    { platform: 'darwin', arch: 'x64', libc: glibc },
    'macOS on x86-64',
    ['limactl start', ownEngines, allInOne, 'docker compose'],
    ['emulates'],
  ],
  [
    { platform: 'win32', arch: 'x64', libc: glibc },
    'Windows on x86-64',
    ['wsl --install', allInOne, 'docker compose'],
    ['limactl', ownEngines],
  ],
  [
    { platform: 'win32', arch: 'arm64', libc: glibc },
    'Windows on arm64',
    ['wsl --install', 'engines of your own, as below', ownEngines, 'docker compose'],
    ['limactl', allInOne],
  ],
  [
    { platform: 'linux', arch: 'arm64', libc: glibc },
    'Linux on arm64',
    [ownEngines, 'docker compose'],
    [allInOne, 'limactl', 'Postgres that this command brings'],
  ],
  [
    { platform: 'linux', arch: 'x64', libc: 'musl' },
    'Linux on x86-64 with musl',
    [ownEngines, allInOne, 'docker compose', 'Postgres that this command brings'],
    ['wsl'],
  ],
  [{ platform: 'linux', arch: 'arm64', libc: 'musl' }, 'Linux on arm64 with musl', [ownEngines], [allInOne]],
])('%j: one screen lists what works there, and only that', (machine, name, has, hasNot) => {
  const advice = adviceFor(machine) ?? '';
  expect(advice.split('\n').length).toBeLessThanOrEqual(24);
  for (const line of advice.split('\n')) expect(line.length).toBeLessThanOrEqual(130);
  expect(advice).toContain(`This machine is ${name}.`);
  for (const word of has) expect(advice).toContain(word);
  for (const word of hasNot) expect(advice).not.toContain(word);
  // Files that it names are there.
  for (const [, file = ''] of advice.matchAll(/\b((?:infra|docs)\/[\w/.-]+\.(?:env|md))/g))
    expect([file, existsSync(join(root, file))]).toEqual([file, true]);
  const docs = readFileSync(join(root, 'docs/production.md'), 'utf8');
  for (const heading of ['Start', 'On engines of your own']) expect(docs).toContain(`\n## ${heading}\n`);
});

const both = { clickhouse: true, postgres: true };

test.each([
  [{ platform: 'linux', arch: 'arm64', libc: glibc }, { clickhouse: true, postgres: false }, null],
  [{ platform: 'darwin', arch: 'arm64', libc: glibc }, both, null],
  [{ platform: 'linux', arch: 'x64', libc: 'musl' }, both, null],
  [{ platform: 'linux', arch: 'x64', libc: 'musl' }, { clickhouse: true, postgres: false }, 'The Postgres that'],
  [{ platform: 'linux', arch: 'arm64', libc: glibc }, { clickhouse: false, postgres: true }, 'The ClickHouse that'],
  // Nobody claims that the rest runs there.
  [{ platform: 'win32', arch: 'x64', libc: glibc }, both, 'On Windows this command runs in WSL2.'],
])('%j with engines of the user’s own, %j: nothing of npm’s is needed', (machine, given, said) => {
  const advice = adviceFor(machine, given);
  if (said === null) expect(advice).toBeNull();
  else expect(advice).toContain(said);
});
