import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { ObjectSigner } from './object-signatures.ts';
import { requireObjectKey, type ObjectStorage } from './object-storage.ts';

/** More bytes came than were allowed. */
export class TooManyBytesError extends Error {
  override name = 'TooManyBytesError';
}

/** An object storage in a directory, which processes of one machine may share; the API serves its addresses. */
export interface DirectoryStorage extends ObjectStorage {
  /**
   * Stores what the stream brings, when it ends well.
   * @throws {TooManyBytesError} as soon as there are more than `bytesMax`; then nothing is stored
   */
  receive(key: string, source: Readable, bytesMax: number): Promise<void>;
}

/** Longest pause without a byte. */
const abandonedAfterMs = 24 * 3_600_000;

export function createDirectoryStorage(
  directory: string,
  { signer, clock }: { signer: ObjectSigner; clock: Clock },
): DirectoryStorage {
  const arriving = join(directory, '.arriving');
  const fileOf = (key: string): string => join(directory, requireObjectKey(key));
  const expiresMs = (lifetimeSeconds: number): number => clock.nowMs() + lifetimeSeconds * 1000;

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

  return {
    receive,
    put: (key, bytes) => receive(key, Readable.from([bytes]), bytes.length),
    async get(key) {
      const handle = await unlessMissing(open(fileOf(key)));
      return handle?.createReadStream();
    },
    async head(key) {
      const found = await unlessMissing(stat(fileOf(key)));
      return found && { sizeBytes: found.size };
    },
    delete: (key) => rm(fileOf(key), { force: true }),
    presignPost(key, { bytesMax, lifetimeSeconds, baseUrl }) {
      const policy = { key: requireObjectKey(key), bytesMax, expiresMs: expiresMs(lifetimeSeconds) };
      return Promise.resolve({ url: `${baseUrl}/objects`, fields: { key, ...signer.signPolicy(policy) } });
    },
    presignPut(key, { contentLength, lifetimeSeconds, baseUrl }) {
      const query = signer.signGrant({
        purpose: 'put',
        key: requireObjectKey(key),
        contentLength,
        expiresMs: expiresMs(lifetimeSeconds),
      });
      return Promise.resolve(`${baseUrl}/objects/${key}?${query.toString()}`);
    },
    presignGet(key, { contentType, fileName, lifetimeSeconds, baseUrl }) {
      const query = signer.signGrant({
        purpose: 'get',
        key: requireObjectKey(key),
        contentType,
        fileName: fileName.toWellFormed(),
        expiresMs: expiresMs(lifetimeSeconds),
      });
      return Promise.resolve(`${baseUrl}/objects/${key}?${query.toString()}`);
    },
    start: () => removeAbandoned(arriving, clock.nowMs() - abandonedAfterMs),
    close: () => undefined,
  };
}

/** The source's chunks. When a reader stops early, the source is left as it is: a request must still get its reply. */
async function* atMost(bytesMax: number, source: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > bytesMax) throw new TooManyBytesError(`more than ${bytesMax} bytes`);
    yield chunk as Uint8Array;
  }
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
