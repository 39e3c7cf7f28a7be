import { failures, type ResolveFailure } from '@millrace/symbolication/frames/failures.ts';
import type { SymbolReference } from '@millrace/symbolication/frames/symbol-reference.ts';
import type { Symbols } from '@millrace/symbolication/symbols/open-symbols.ts';
import type { CompiledSymbols } from './compiled-symbols.ts';
import { setKey, type MetSets, type SetName, type SymbolSet, type SymbolSets } from './symbol-sets.ts';
import { UnreadableSymbolsError } from './unreadable-symbols-error.ts';

/** Symbols of a reference, or why there are none, with the set that was looked for. */
interface FoundSymbols {
  symbols: Symbols | ResolveFailure;
  /** Chunk id or URL that it goes by; null: too long for any. */
  ref: string | null;
  /** Null: there is none of that name. */
  set: SymbolSet | null;
}

/** The symbols of a batch. */
export interface BatchSymbols extends MetSets {
  find(projectId: number, reference: SymbolReference): FoundSymbols;
  /** Number of sets that were not read in time. */
  lateSets: number;
}

/** A reference of a project. */
export interface Wanted {
  projectId: number;
  reference: SymbolReference;
}

interface Parts {
  sets: Pick<SymbolSets, 'find'>;
  compiled: CompiledSymbols;
  /** Called when the storage cannot be read. */
  onAway: (error: unknown) => void;
}

/**
 * Loads the symbols of a batch. Those that are not there when `signal` aborts, or whose storage is away, are late: frames say so. Throws what
 * `sets` throws.
 */
export async function loadSymbols(
  wanted: readonly Wanted[],
  { sets, compiled, onAway }: Parts,
  signal: AbortSignal,
): Promise<BatchSymbols> {
  const named = new Map(wanted.flatMap(namesOf).map((name) => [setKey(name), name]));
  const found = await sets.find([...named.values()]);
  const used = [...found.values()].filter(hasFile);
  const late = failures.late;
  const symbols = new Map<string, Symbols | ResolveFailure>(used.map((set) => [set.id, late]));
  const unreadable: { set: SymbolSet; reason: string }[] = [];

  async function load(set: SymbolSet & { storageKey: string }): Promise<void> {
    try {
      symbols.set(set.id, await compiled.load(set.storageKey, set.projectId));
    } catch (error) {
      if (!(error instanceof UnreadableSymbolsError)) return onAway(error);
      symbols.set(set.id, failures.invalidData(error.message));
      unreadable.push({ set, reason: error.message });
    }
  }
  await untilAborted(Promise.all(used.map(load)), signal);

  const missing = new Map<string, SetName & { reason: string }>();
  const find = (projectId: number, reference: SymbolReference): FoundSymbols => {
    const names = namesOf({ projectId, reference });
    const set = names.map((name) => found.get(setKey(name))).find((one) => one !== undefined && hasFile(one));
    if (set !== undefined) return { symbols: symbols.get(set.id) ?? late, ref: set.ref, set };
    const [name] = names;
    const empty = name === undefined ? undefined : found.get(setKey(name));
    return { symbols: failureOf(reference), ref: name?.ref ?? null, set: empty ?? null };
  };
  for (const { projectId, reference } of wanted) {
    const names = namesOf({ projectId, reference });
    const [name] = names;
    const isThere = names.some((one) => found.get(setKey(one))?.storageKey != null);
    if (name !== undefined && !isThere) missing.set(setKey(name), { ...name, reason: failureOf(reference).text });
  }
  const lateSets = [...symbols.values()].filter((outcome) => outcome === late).length;
  return { find, used, missing: [...missing.values()], unreadable, lateSets };
}

const hasFile = (set: SymbolSet): set is SymbolSet & { storageKey: string } => set.storageKey !== null;

/** Bytes of a ref; a longer one names no set (contract/decisions 106). */
const refBytesMax = 2_048;

/** The chunk id first, then the URL (contract/orgs-errors 5.3). */
function namesOf({ projectId, reference: { chunkId, url } }: Wanted): SetName[] {
  const refs = [chunkId, url].filter((ref) => ref !== undefined);
  const fitting = refs.filter((ref) => Buffer.byteLength(ref) <= refBytesMax);
  return fitting.map((ref) => ({ projectId, ref }));
}

const failureOf = ({ chunkId, url = '' }: SymbolReference): ResolveFailure =>
  chunkId === undefined ? failures.noMapForUrl(url) : failures.noMapForChunk(chunkId);

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
