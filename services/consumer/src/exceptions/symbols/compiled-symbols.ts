import { symbolIndexKey } from '@millrace/contracts/symbol-objects.ts';
import type { ObjectFiles } from '@millrace/object-storage/object-storage.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { SymbolDataError } from '@millrace/symbolication/symbol-data-error.ts';
import { openSymbols, type Symbols } from '@millrace/symbolication/symbols/open-symbols.ts';
import { LRUCache } from 'lru-cache';
import { createByteBudget } from './byte-budget.ts';
import { createFairTurns } from './fair-turns.ts';
import { readObject, sizeOfObject } from './read-object.ts';
import { CompileFaultError, type CompileSymbols } from './symbol-compiler.ts';
import { UnreadableSymbolsError } from './unreadable-symbols-error.ts';

/** Compiled symbols, by the object of their set. */
export interface CompiledSymbols {
  /**
   * Reads the symbols: from memory, from the index in the storage, or from the upload, whose index is stored then. Calls for one object
   * share the work, and projects take turns.
   * @param take is asked for the bytes of the symbols before they are read; or for none before they are compiled, and for all of them after that. Its
   * last answer counts. False: whoever calls has no room for them
   * @throws {NoRoomError} when `take` answers false
   * @throws {UnreadableSymbolsError} for a file that is broken, hostile or too large, and for one at which compiling failed three times: kept for
   * an hour
   * @throws {CompileFaultError} for one at which it failed less often; it is tried again after a minute
   * @throws whatever the storage throws, or that it does not answer; calls for the object fail for some seconds after that, and all calls when two
   * objects failed in a row
   */
  load(storageKey: string, projectId: number, take?: TakeBytes): Promise<Symbols>;
}

type TakeBytes = (bytes: number) => boolean;

/** The symbols are there, and there is no room for them where they were to be used. */
export class NoRoomError extends Error {
  override name = 'NoRoomError';
}

interface Limits {
  /** Bytes of all symbols that are kept, and of objects that are being read; a file whose symbols are more cannot be read. */
  bytesMax: number;
  /** A file that cannot be read is tried again after this time. */
  unreadableMs: number;
  /** So often compiling may fail for a reason that may be ours, with so much time between. */
  faultsMax: number;
  faultMs: number;
  /** An object, or a storage, that failed is left alone so long. */
  awayMs: number;
  /** Longest time in which an object is read. */
  readMsMax: number;
}

const usual: Limits = {
  bytesMax: 268_435_456,
  unreadableMs: 3_600_000,
  faultsMax: 3,
  faultMs: 60_000,
  awayMs: 5_000,
  readMsMax: 30_000,
};
const failedMax = 10_000;
const readAtOnce = 4;
/** Each holds an upload in memory, up to 100 MiB. */
const compiledAtOnce = 1;

interface Failure {
  error: unknown;
  until: number;
}

/** Failure of an object, with how often compiling it failed for a reason that may be ours. */
interface ObjectFailure extends Failure {
  faults: number;
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
  const failed = new LRUCache<string, ObjectFailure>({ max: failedMax });
  const loading = new Map<string, Promise<Symbols>>();
  const reading = createFairTurns(readAtOnce, clock);
  const compiling = createFairTurns(compiledAtOnce, clock);
  const underWay = createByteBudget(limits.bytesMax);
  let away: Failure | null = null;
  /** The object that was read last, if it failed. */
  let failedKey: string | null = null;

  async function read(storageKey: string, projectId: number, take: TakeBytes): Promise<Symbols> {
    const indexKey = symbolIndexKey(storageKey);
    const owner = String(projectId);
    // A larger one is of a process with other limits.
    const isMeant = (bytes: number): boolean => bytes <= limits.bytesMax && taken(bytes, take);
    const ready = await reading.run(owner, () => readStored(indexKey, isMeant));
    const index = ready === undefined ? undefined : openUnlessOld(ready);
    if (index !== undefined) return index;
    return await compiling.run(owner, async () => {
      // Whoever has no room left needs no compiling, which takes most memory of all.
      taken(0, take);
      const container = await readStored(storageKey);
      if (container === undefined) throw new UnreadableSymbolsError('container data invalid: its file is gone');
      const compiled = await compile(container, projectId);
      if (compiled.byteLength > limits.bytesMax)
        throw new UnreadableSymbolsError('symbols take too much memory to read');
      makeRoom(compiled.byteLength);
      await storage?.put(indexKey, compiled).catch(onFault);
      taken(compiled.byteLength, take);
      return openSymbols(compiled);
    });
  }

  /** Symbols that were used longest ago are no longer kept: what comes would put them away when it is there, and is memory before. */
  function makeRoom(bytes = 0): void {
    while (kept.size > 0 && kept.calculatedSize + underWay.taken + bytes > limits.bytesMax) kept.pop();
  }

  /** Undefined: there is none, or none that is meant. One object that fails says nothing of the storage, which is that of all projects. */
  async function readStored(
    key: string,
    isMeant: (bytes: number) => boolean = () => true,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (storage === undefined) throw new Error('no object storage is configured');
    const msMax = limits.readMsMax;
    try {
      const size = await sizeOfObject(storage, key, msMax);
      const bytes =
        size === undefined || !isMeant(size)
          ? undefined
          : await underWay.run(size, () => {
              makeRoom();
              return readObject(storage, { key, size, msMax });
            });
      failedKey = null;
      return bytes;
    } catch (error) {
      if (error instanceof NoRoomError) throw error;
      if (failedKey !== null && failedKey !== key) away = { error, until: clock.nowMs() + limits.awayMs };
      failedKey = key;
      throw error;
    }
  }

  async function loadOnce(storageKey: string, projectId: number, take: TakeBytes): Promise<Symbols> {
    try {
      const index = await read(storageKey, projectId, take);
      failed.delete(storageKey);
      kept.set(storageKey, index);
      return index;
    } catch (error) {
      if (error instanceof NoRoomError) throw error;
      const failure = failureOf(error, failed.get(storageKey)?.faults ?? 0);
      failed.set(storageKey, failure);
      throw failure.error;
    } finally {
      loading.delete(storageKey);
    }
  }

  function failureOf(thrown: unknown, faultsBefore: number): ObjectFailure {
    const isFault = thrown instanceof CompileFaultError;
    const faults = isFault ? faultsBefore + 1 : faultsBefore;
    const isOver = isFault && faults >= limits.faultsMax;
    const error = isOver ? new UnreadableSymbolsError(thrown.message, { cause: thrown }) : thrown;
    const { unreadableMs, faultMs, awayMs } = limits;
    const waitMs = error instanceof UnreadableSymbolsError ? unreadableMs : isFault ? faultMs : awayMs;
    return { error, until: clock.nowMs() + waitMs, faults };
  }

  return {
    async load(storageKey, projectId, take = () => true) {
      for (;;) {
        const index = kept.get(storageKey);
        const begun = loading.get(storageKey);
        if (index === undefined && begun === undefined) break;
        const shared = index ?? (await begun?.catch(unlessNoRoom));
        if (shared !== undefined && taken(shared.byteLength, take)) return shared;
      }
      const failure = failed.get(storageKey);
      if (failure !== undefined && failure.until > clock.nowMs()) throw failure.error;
      if (away !== null && clock.nowMs() < away.until) throw away.error;
      const begun = loadOnce(storageKey, projectId, take);
      loading.set(storageKey, begun);
      return await begun;
    },
  };
}

/** True. @throws {NoRoomError} */
function taken(bytes: number, take: TakeBytes): true {
  if (take(bytes)) return true;
  throw new NoRoomError('there is no room for the symbols');
}

/** Whoever shared a load for which another one had no room begins it anew. */
function unlessNoRoom(error: unknown): undefined {
  if (!(error instanceof NoRoomError)) throw error;
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
