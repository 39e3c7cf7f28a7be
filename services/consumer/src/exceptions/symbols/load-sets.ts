import type { Symbols } from '@millrace/symbolication/symbols/open-symbols.ts';
import { NoRoomError, type CompiledSymbols } from './compiled-symbols.ts';
import type { SymbolSet } from './symbol-sets.ts';
import { UnreadableSymbolsError } from './unreadable-symbols-error.ts';

/** A set with a file. */
export type StoredSet = SymbolSet & { storageKey: string };

/** Symbols of a set, or why its file cannot be read. */
type Loaded = Symbols | UnreadableSymbolsError;

interface Parts {
  compiled: CompiledSymbols;
  /** Called when the storage cannot be read, or a fault of ours keeps from it. */
  onAway: (error: unknown) => void;
}

/** Bytes of symbols that a batch holds. */
export interface SymbolLimits {
  /** Bytes of one project; its first set may be larger. */
  projectBytesMax: number;
  /** Bytes of all projects. */
  bytesMax: number;
}

export const batchLimits: SymbolLimits = { projectBytesMax: 268_435_456, bytesMax: 402_653_184 };
/** Sets of one project that are loaded at once. */
const loadedAtOnce = 4;

/**
 * Loads sets, by their ids, until `signal` aborts. Those that are not there by then are left out, those whose storage is away, and those that
 * are more than a batch may hold, which are not even read: memory keeps a part of what was ever loaded, a batch all that it uses. Loads that have
 * not begun by then never do.
 */
export async function loadSets(
  sets: readonly StoredSet[],
  { compiled, onAway }: Parts,
  signal: AbortSignal,
  { projectBytesMax, bytesMax }: SymbolLimits = batchLimits,
): Promise<ReadonlyMap<string, Loaded>> {
  const outcomes = new Map<string, Loaded>();
  let bytes = 0;

  async function loadProject(own: readonly StoredSet[]): Promise<void> {
    const waiting = own.values();
    let ownBytes = 0;
    let isFull = false;

    async function loadNext(): Promise<void> {
      for (const set of waiting) {
        if (signal.aborted || isFull) return;
        let taken = 0;
        const count = (size: number): void => {
          taken += size;
          ownBytes += size;
          bytes += size;
        };
        const take = (size: number): boolean => {
          count(-taken);
          isFull ||= (ownBytes > 0 && ownBytes + size > projectBytesMax) || bytes + size > bytesMax;
          if (!isFull) count(size);
          return !isFull;
        };
        const loaded = await load(set, { compiled, onAway }, take);
        if (loaded === null || loaded instanceof UnreadableSymbolsError) count(-taken);
        if (loaded !== null) outcomes.set(set.id, loaded);
      }
    }
    await Promise.all(Array.from({ length: loadedAtOnce }, loadNext));
  }

  const projects = Map.groupBy(sets, ({ projectId }) => projectId);
  await untilAborted(Promise.all([...projects.values()].map(loadProject)), signal);
  // A copy: what comes later would make events of one batch differ.
  return new Map(outcomes);
}

async function load(
  { storageKey, projectId }: StoredSet,
  { compiled, onAway }: Parts,
  take: (bytes: number) => boolean,
): Promise<Loaded | null> {
  try {
    return await compiled.load(storageKey, projectId, take);
  } catch (error) {
    if (error instanceof UnreadableSymbolsError) return error;
    if (!(error instanceof NoRoomError)) onAway(error);
    return null;
  }
}

async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  signal.addEventListener('abort', end, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
