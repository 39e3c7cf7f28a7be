import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { root } from '../support/launcher.ts';

// scripts/run.mjs in a checkout of its own, on a path with blanks. `npm` and the pnpm that it brings are programs that
// record their arguments, so nothing is fetched; the commands that run.mjs ends with say how they were called.
const nodeName = `node-${process.platform}-${process.arch}`;
let parent: string;
let checkout: string;
let requested: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'millrace run '));
  checkout = join(parent, "check out é'$HOME");
  requested = join(parent, 'asked');
  for (const folder of ['scripts', 'infra/cli/src', 'packages/postgres/prisma', 'infra/prisma/scripts', 'node_modules'])
    mkdirSync(join(checkout, folder), { recursive: true });
  cpSync(join(root, 'scripts/run.mjs'), join(checkout, 'scripts/run.mjs'));
  cpSync(join(root, 'scripts/platform.mjs'), join(checkout, 'scripts/platform.mjs'));
  cpSync(join(root, 'scripts/toolchain'), join(checkout, 'scripts/toolchain'), { recursive: true });
  for (const file of [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    '.pnpmfile.cjs',
    'packages/postgres/prisma/schema.prisma',
  ])
    writeFileSync(join(checkout, file), file);
  writeFileSync(
    join(checkout, 'infra/prisma/scripts/generate.ts'),
    `require('node:fs').appendFileSync(${JSON.stringify(requested)}, 'generate\\n');`,
  );
  writeFileSync(
    join(checkout, 'infra/cli/src/main.ts'),
    'console.log(JSON.stringify([process.execPath, ...process.argv.slice(2)])); process.exitCode = process.argv[2] === "fail" ? 7 : 0;',
  );
  writeFileSync(join(checkout, 'scripts/test.ts'), '');
  const pnpm =
    'require("node:fs").appendFileSync(process.env.ASKED, ["pnpm", ...process.argv.slice(2)].join(" ") + "\\n"); process.exitCode = Number(process.env.PNPM_STATUS);';
  writeFileSync(join(parent, 'pnpm.cjs'), pnpm);
  const brings = `mkdir -p node_modules/pnpm/bin node_modules/${nodeName}/bin && cp "$PNPM" node_modules/pnpm/bin/pnpm.cjs && ln -s "$NODE" node_modules/${nodeName}/bin/node`;
  program('npm', `echo "npm $*" >> "$ASKED"; ${brings}`);
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

function program(name: string, body: string): void {
  mkdirSync(join(parent, 'bin'), { recursive: true });
  writeFileSync(join(parent, 'bin', name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(parent, 'bin', name), 0o755);
}

interface Run {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** `version` and `platform` make the Node that runs it say that it is another one, or elsewhere. */
function run(
  args: string[],
  {
    version,
    platform,
    pnpmStatus = 0,
    environment = {},
  }: { version?: string; platform?: string; pnpmStatus?: number; environment?: Record<string, string> } = {},
): Run {
  const older = join(parent, 'older.cjs');
  writeFileSync(
    older,
    [
      ...(version === undefined
        ? []
        : [
            `Object.defineProperty(process, 'version', { value: 'v${version}' }); Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
          ]),
      ...(platform === undefined ? [] : [`Object.defineProperty(process, 'platform', { value: '${platform}' });`]),
    ].join('\n'),
  );
  const env = {
    PATH: `${join(parent, 'bin')}:/usr/bin:/bin`,
    ASKED: requested,
    NODE: process.execPath,
    PNPM_STATUS: String(pnpmStatus),
    PNPM: join(parent, 'pnpm.cjs'),
    ...environment,
  };
  return spawnSync(
    process.execPath,
    [
      ...(version === undefined && platform === undefined ? [] : ['--require', older]),
      join(checkout, 'scripts/run.mjs'),
      ...args,
    ],
    { cwd: parent, env, encoding: 'utf8' },
  );
}

const requestedOptions = (): string[] =>
  existsSync(requested) ? readFileSync(requested, 'utf8').trimEnd().split('\n') : [];

describe('the door to the commands', () => {
  test('installs the first time, announces that before, and then only when the lock changes', () => {
    const first = run(['millrace', 'keys', "it's a name"]);
    expect(first).toMatchObject({
      status: 0,
      stdout: `${JSON.stringify([process.execPath, 'keys', "it's a name"])}\n`,
    });
    expect(first.stderr).toMatch(/^Installing the dependencies: about 0\.9 GB/);
    const installing = [expect.stringMatching(/^pnpm install --frozen-lockfile/), 'generate'];
    // Only pnpm of the toolchain is installed: this Node is new enough.
    const once = expect.stringMatching(/^npm ci --ignore-scripts .*--omit=optional$/);
    expect(requestedOptions()).toEqual([once, ...installing]);
    expect(run(['millrace'])).toMatchObject({ status: 0, stderr: '' });
    expect(requestedOptions()).toEqual([once, ...installing]);
    writeFileSync(join(checkout, 'pnpm-lock.yaml'), 'another');
    expect(run(['millrace']).status).toBe(0);
    expect(requestedOptions()).toEqual([once, ...installing, ...installing]);
  });

  test('a start brings what a start needs; the first command of a developer brings their tools, and no start takes them away', () => {
    const installs = (): string[] =>
      requestedOptions()
        .filter((line) => line.startsWith('pnpm'))
        .map((line) => (line.includes('--prod') ? 'users' : 'developers'));
    run(['millrace']);
    expect(installs()).toEqual(['users']);
    expect(requestedOptions().find((line) => line.startsWith('pnpm'))).toContain('--filter-prod=@millrace/local...');
    expect(run(['test']).status).toBe(0);
    expect(installs()).toEqual(['users', 'developers']);
    for (const command of ['millrace', 'test']) run([command]);
    expect(installs()).toHaveLength(2);
    writeFileSync(join(checkout, 'pnpm-lock.yaml'), 'another');
    run(['millrace']);
    expect(installs()).toEqual(['users', 'developers', 'developers']);
  });

  test('a checkout of a release that installed everything for everybody keeps it', () => {
    run(['test']);
    const stampFile = join(checkout, 'node_modules/.installed');
    writeFileSync(stampFile, readFileSync(stampFile, 'utf8').split(' ')[0] ?? '');
    expect(run(['millrace'])).toMatchObject({ status: 0, stderr: '' });
    expect(run(['test'])).toMatchObject({ status: 0, stderr: '' });
  });

  test('a read-only checkout is reported in one sentence, before anything is fetched', () => {
    // Root may write everywhere: only a user without a name and rights sees it.
    const asOther = process.getuid?.() === 0 ? ['setpriv', '--reuid=4242', '--regid=4242', '--clear-groups'] : [];
    for (const folder of [parent, checkout]) chmodSync(folder, 0o555);
    const [command = '', ...args] = [...asOther, process.execPath, join(checkout, 'scripts/run.mjs'), 'millrace'];
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } });
    for (const folder of [parent, checkout]) chmodSync(folder, 0o755);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^Nothing can be installed: .* belongs to another user \(uid \d+\)\. Start as its owner, or .*git clone.*\n$/,
    );
    expect(requestedOptions()).toEqual([]);
  });

  test('on another platform a start lists what works there, and installs nothing; the command line works', () => {
    const started = run(['start'], { version: '18.20.0', platform: 'darwin' });
    expect([started.status, started.stdout]).toEqual([1, '']);
    expect(started.stderr).toMatch(/This machine is macOS on [^]*docker compose up/);
    expect(requestedOptions()).toEqual([]);
    expect(run(['millrace'], { platform: 'darwin' }).status).toBe(0);
  });

  test.each([
    [['--clickhouse', 'http://a:b@c', '--postgres=postgres://a:b@c/d'], {}],
    [[], { MILLRACE_CLICKHOUSE_URL: 'http://a:b@c', MILLRACE_POSTGRES_URL: 'postgres://a:b@c/d' }],
  ])('there a start on engines of the user’s own, by %j and %j, continues', (args, environment) => {
    mkdirSync(join(checkout, 'infra/local/src'), { recursive: true });
    writeFileSync(join(checkout, 'infra/local/src/main.ts'), 'console.log("started");');
    const { status, stdout, stderr } = run(['start', ...args], { platform: 'darwin', environment });
    expect([status, stdout]).toEqual([0, 'started\n']);
    // The library of ClickHouse is none of what is installed there.
    expect(stderr).toMatch(/^Installing the dependencies: less than 0\.5 GB on disk\. This runs once\./);
  });

  test('while another command installs packages, a command says so instead of failing for want of one', () => {
    expect(run(['millrace']).status).toBe(0);
    const installing = join(checkout, '.tools/installing');
    expect(existsSync(installing)).toBe(false);
    writeFileSync(installing, String(process.pid));
    expect(run(['millrace'])).toEqual(
      expect.objectContaining({
        status: 1,
        stdout: '',
        stderr: `Another command (process ${process.pid}) is installing packages in this folder. Try again when it has finished.\n`,
      }),
    );
    // Left over by one that was killed: no process has this number.
    writeFileSync(installing, '4194305');
    expect(run(['millrace'])).toMatchObject({ status: 0, stderr: '' });
    // While packages are installed the number is there.
    writeFileSync(join(parent, 'pnpm.cjs'), `require('node:fs').accessSync(${JSON.stringify(installing)});`);
    rmSync(join(checkout, '.tools'), { recursive: true });
    writeFileSync(join(checkout, 'pnpm-lock.yaml'), 'another');
    expect(run(['millrace']).status).toBe(0);
    expect(existsSync(installing)).toBe(false);
  });

  test('an install that failed is tried again, and nothing is run without it', () => {
    const failed = run(['millrace'], { pnpmStatus: 3 });
    expect(failed).toMatchObject({ status: 1, stdout: '' });
    expect(failed.stderr).toMatch(/failed \(3\)/);
    expect(run(['millrace']).status).toBe(0);
    expect(requestedOptions().filter((line) => line.startsWith('pnpm'))).toHaveLength(2);
  });

  test('an older Node fetches a newer one once, announces that before, and the command runs on it', () => {
    const first = run(['millrace'], { version: '18.20.0' });
    expect(first.stderr).toMatch(
      /^Node 24 is needed and this is v18\.20\.0: downloading Node 24[\d.]+ \(about 50 MB\) into \.tools/,
    );
    expect(requestedOptions()[0]).toMatch(/^npm ci --ignore-scripts (?!.*omit)/);
    expect(first).toMatchObject({ status: 0 });
    expect(run(['millrace'], { version: '18.20.0' })).toMatchObject({ status: 0, stderr: '' });
    expect(requestedOptions().filter((line) => line.startsWith('npm '))).toHaveLength(1);
  });

  test("the command's exit code is its own; an unknown command names those that there are", () => {
    expect(run(['millrace', 'fail']).status).toBe(7);
    const unknown = run(['strat']);
    expect(unknown).toMatchObject({ status: 1, stdout: '' });
    expect(unknown.stderr).toContain('There is no command "strat". Commands: start, test,');
  });
});
