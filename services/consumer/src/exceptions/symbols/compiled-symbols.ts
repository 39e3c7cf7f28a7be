import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { symbolIndexKey } from '@millrace/contracts/symbol-objects.ts';
import type { ObjectFiles } from '@millrace/object-storage/object-storage.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { SymbolDataError } from '@millrace/symbolication/symbol-data-error.ts';
import { openSymbols, type Symbols } from '@millrace/symbolication/symbols/open-symbols.ts';
import { LRUCache } from 'lru-cache';
import { createFairTurns } from './fair-turns.ts';
import type { CompileSymbols } from './symbol-compiler.ts';
import { UnreadableSymbolsError } from './unreadable-symbols-error.ts';

/** Compiled symbols, by the object of their set. */
export interface CompiledSymbols {
  /**
   * Reads the symbols: from memory, from the index in the storage, or from the upload, whose index is stored then. Calls for one object
   * share the work, and projects take turns.
   * @throws {UnreadableSymbolsError} for a file that is broken, hostile or too large: kept for an hour
   * @throws whatever the storage throws, or that it does not answer; calls for the object fail for some seconds after that, and all calls when two
   * objects failed in a row
   */
  load(storageKey: string, projectId: number): Promise<Symbols>;
}

interface Limits {
  /** Bytes of all symbols that are kept; a file whose symbols are more cannot be read. */
  bytesMax: number;
  /** A file that cannot be read is tried again after this time. */
  unreadableMs: number;
  /** An object, or a storage, that failed is left alone so long. */
  awayMs: number;
  /** Longest time in which an object is read. */
  readMsMax: number;
}

const usual: Limits = { bytesMax: 268_435_456, unreadableMs: 3_600_000, awayMs: 5_000, readMsMax: 30_000 };
const failedMax = 10_000;
const readAtOnce = 4;
/** Each holds an upload in memory, up to 100 MiB. */
const compiledAtOnce = 1;

interface Failure {
  error: unknown;
  until: number;
}

interface Parts {
  /** Undefined: none is configured, so that nothing was ever uploaded. */
  storage: ObjectFiles | undefined;
  compile: CompileSymbols;
  clock: Clock;
  /** Called when symbols were compiled and cannot be stored: they are compiled again later. */
  onFault: (error: unknown) => void;
}

export function createCompiledSymbols(
  { storage, compile, clock, onFault }: Parts,
  given: Partial<Limits> = {},
): CompiledSymbols {
  const limits = { ...usual, ...given };
  const kept = new LRUCache<string, Symbols>({
    maxSize: limits.bytesMax,
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  });
  const failed = new LRUCache<string, Failure>({ max: failedMax });
  const loading = new Map<string, Promise<Symbols>>();
  const reading = createFairTurns(readAtOnce);
  const compiling = createFairTurns(compiledAtOnce);
  let away: Failure | null = null;
  /** The object that was read last, if it failed. */
  let failedKey: string | null = null;

  async function read(storageKey: string, projectId: number): Promise<Symbols> {
    const indexKey = symbolIndexKey(storageKey);
    const owner = String(projectId);
    const ready = await reading.run(owner, () => readStored(indexKey));
    const index = ready === undefined ? undefined : openUnlessOld(ready);
    if (index !== undefined) return index;
    return await compiling.run(owner, async () => {
      const container = await readStored(storageKey);
      if (container === undefined) throw new UnreadableSymbolsError('container data invalid: its file is gone');
      const compiled = await compile(container, projectId);
      if (compiled.byteLength > limits.bytesMax)
        throw new UnreadableSymbolsError('symbols take too much memory to read');
      await storage?.put(indexKey, compiled).catch(onFault);
      return openSymbols(compiled);
    });
  }

  /** One object that fails says nothing of the storage, which is that of all projects. */
  async function readStored(key: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (storage === undefined) throw new Error('no object storage is configured');
    try {
      const bytes = await readObject(storage, key, limits.readMsMax);
      failedKey = null;
      return bytes;
    } catch (error) {
      if (failedKey !== null && failedKey !== key) away = { error, until: clock.nowMs() + limits.awayMs };
      failedKey = key;
      throw error;
    }
  }

  async function loadOnce(storageKey: string, projectId: number): Promise<Symbols> {
    try {
      const index = await read(storageKey, projectId);
      kept.set(storageKey, index);
      return index;
    } catch (error) {
      const waitMs = error instanceof UnreadableSymbolsError ? limits.unreadableMs : limits.awayMs;
      failed.set(storageKey, { error, until: clock.nowMs() + waitMs });
      throw error;
    } finally {
      loading.delete(storageKey);
    }
  }

  return {
    async load(storageKey, projectId) {
      const index = kept.get(storageKey);
      if (index !== undefined) return index;
      const failure = failed.get(storageKey);
      if (failure !== undefined && failure.until > clock.nowMs()) throw failure.error;
      const shared = loading.get(storageKey);
      if (shared !== undefined) return await shared;
      if (away !== null && clock.nowMs() < away.until) throw away.error;
      const begun = loadOnce(storageKey, projectId);
      loading.set(storageKey, begun);
      return await begun;
    },
  };
}

/** In a buffer of its own, which may be handed over. @throws when it takes too long: whoever waits for it must not wait for ever */
async function readObject(
  storage: ObjectFiles,
  key: string,
  msMax: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const late = AbortSignal.timeout(msMax);
  const { promise, reject } = Promise.withResolvers<never>();
  const error = new Error('the object storage does not answer');
  let stream: Readable | undefined;
  late.addEventListener('abort', () => {
    stream?.destroy(error);
    reject(error);
  });
  const read = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    stream = await storage.get(key);
    if (stream === undefined) return undefined;
    if (late.aborted) stream.destroy(error);
    return new Uint8Array(await buffer(stream));
  };
  return await Promise.race([read(), promise]);
}

/** Undefined: another version wrote it, or not all of it is there. It is made anew. */
function openUnlessOld(bytes: Uint8Array): Symbols | undefined {
  try {
    return openSymbols(bytes);
  } catch (error) {
    if (error instanceof SymbolDataError) return undefined;
    throw error;
  }
}
