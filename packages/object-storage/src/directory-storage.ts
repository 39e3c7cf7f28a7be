import { randomUUID } from 'node:crypto';
import { link as linkFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { ObjectSigner } from './object-signatures.ts';
import {
  atMost,
  isObjectKey,
  requireObjectFolder,
  requireObjectKey,
  type ObjectFiles,
  type ObjectStorage,
} from './object-storage.ts';
import { servedAddresses } from './served-addresses.ts';

/** Longest pause without a byte. */
const abandonedAfterMs = 24 * 3_600_000;

/** Codes of file systems that have no hard links, or none from here to there. */
const unlinkable: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EXDEV',
  'EMLINK',
]);

interface Parts {
  clock: Clock;
  logger: Logger;
  /** Gives a file a second name, as `link` of Node does. */
  link?: (existing: string, name: string) => Promise<void>;
}

/** An object storage in a directory; the API serves its addresses. */
export function createDirectoryStorage(
  directory: string,
  { signer, ...parts }: Parts & { signer: ObjectSigner },
): ObjectStorage {
  return { ...createDirectoryFiles(directory, parts), ...servedAddresses({ signer, clock: parts.clock }) };
}

/** Objects in a directory, which processes of one machine may share. */
export function createDirectoryFiles(directory: string, { clock, logger, link = linkFile }: Parts): ObjectFiles {
  const arriving = join(directory, '.arriving');
  const fileOf = (key: string): string => join(directory, requireObjectKey(key));

  async function receive(key: string, source: Readable, bytesMax: number): Promise<void> {
    const file = fileOf(key);
    await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
    await mkdir(arriving, { recursive: true, mode: 0o700 });
    const next = join(arriving, randomUUID());
    // Opened first: a stream that fails at once could still make the file after it was removed.
    const handle = await open(next, 'wx', 0o600);
    try {
      await pipeline(atMost(bytesMax, source), handle.createWriteStream({ flush: true }));
      await rename(next, file);
    } catch (error) {
      await rm(next, { force: true });
      throw error;
    }
  }

  async function get(key: string): Promise<Readable | undefined> {
    const handle = await unlessMissing(open(fileOf(key)));
    return handle?.createReadStream();
  }

  async function copyBytes(from: string, to: string): Promise<boolean> {
    const source = await get(from);
    if (source === undefined) return false;
    try {
      await receive(to, source, Infinity);
      return true;
    } finally {
      source.destroy();
    }
  }

  return {
    receive,
    put: (key, bytes) => receive(key, Readable.from([bytes]), bytes.length),
    get,
    async head(key) {
      const found = await unlessMissing(stat(fileOf(key)));
      return found && { sizeBytes: found.size };
    },
    async copy(from, to) {
      const file = fileOf(to);
      await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
      try {
        // A second name of the same file: an upload replaces the name, and never writes into a file.
        return (await unlessMissing(link(fileOf(from), file).then(() => true))) ?? false;
      } catch (error) {
        if (unlinkable.has((error as NodeJS.ErrnoException).code)) return await copyBytes(from, to);
        throw error;
      }
    },
    delete: (key) => rm(fileOf(key), { force: true }),
    list: (folder) => keysIn(directory, folder),
    async start() {
      try {
        await removeAbandoned(arriving, clock.nowMs() - abandonedAfterMs);
      } catch (err) {
        logger.warn({ err, directory }, 'the folder of the object storage cannot be read');
      }
    },
    close: () => undefined,
  };
}

async function* keysIn(directory: string, folder: string): AsyncGenerator<string> {
  const names = (await unlessMissing(readdir(join(directory, requireObjectFolder(folder))))) ?? [];
  yield* names
    .map((name) => `${folder}/${name}`)
    .filter(isObjectKey)
    .sort();
}

/** Files of processes that died during an upload. */
async function removeAbandoned(folder: string, beforeMs: number): Promise<void> {
  for (const name of (await unlessMissing(readdir(folder))) ?? []) {
    const file = join(folder, name);
    const found = await unlessMissing(stat(file));
    if (found !== undefined && found.mtimeMs < beforeMs) await rm(file, { force: true });
  }
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
