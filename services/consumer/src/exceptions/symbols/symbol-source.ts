import { failures, type ResolveFailure } from '@millrace/symbolication/frames/failures.ts';
import type { SymbolReference } from '@millrace/symbolication/frames/symbol-reference.ts';
import type { Symbols } from '@millrace/symbolication/symbols/open-symbols.ts';
import type { CompiledSymbols } from './compiled-symbols.ts';
import { loadSets, type StoredSet, type SymbolLimits } from './load-sets.ts';
import { setKey, type MetSets, type SetName, type SymbolSet } from './symbol-sets.ts';
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
}

/** A reference of a project. */
export interface Wanted {
  projectId: number;
  reference: SymbolReference;
}

interface Parts {
  /** Sets there are among those that are wanted (`namesOfAll`). */
  found: FoundSets;
  compiled: CompiledSymbols;
  /** Called when the storage cannot be read, or a fault of ours keeps from it. */
  onAway: (error: unknown) => void;
  /** Default: those of a batch. */
  limits?: SymbolLimits;
}

/** Sets by `setKey`. */
type FoundSets = ReadonlyMap<string, SymbolSet>;

/** Names of all sets that are wanted, each once. Pure. */
export const namesOfAll = (wanted: readonly Wanted[]): SetName[] => [
  ...new Map(wanted.flatMap(namesOf).map((name) => [setKey(name), name])).values(),
];

/** Loads the symbols of a batch. Those that are not there when `signal` aborts, or whose storage is away, are late: frames say so. */
export async function loadSymbols(
  wanted: readonly Wanted[],
  { found, compiled, onAway, limits }: Parts,
  signal: AbortSignal,
): Promise<BatchSymbols> {
  const used = [...found.values()].filter(hasFile);
  const loaded = await loadSets(used, { compiled, onAway }, signal, limits);
  const unreadable = used.flatMap((set) => {
    const outcome = loaded.get(set.id);
    return outcome instanceof UnreadableSymbolsError ? [{ set, reason: outcome.message }] : [];
  });
  const missing = new Map<string, SetName & { reason: string }>();
  const find = (projectId: number, reference: SymbolReference): FoundSymbols => {
    const names = namesOf({ projectId, reference });
    const set = names.map((name) => found.get(setKey(name))).find((one) => one !== undefined && hasFile(one));
    if (set !== undefined) return { symbols: symbolsOf(loaded.get(set.id)), ref: set.ref, set };
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
  return { find, used, missing: [...missing.values()], unreadable, late: used.filter(({ id }) => !loaded.has(id)) };
}

const hasFile = (set: SymbolSet): set is StoredSet => set.storageKey !== null;

/** Bytes of a ref; a longer one names no set (contract/decisions 106). */
const refBytesMax = 2_048;

/** The chunk id first, then the URL (contract/orgs-errors 5.3). */
function namesOf({ projectId, reference: { chunkId, url } }: Wanted): SetName[] {
  const refs = [chunkId, url].filter((ref) => ref !== undefined);
  const fitting = refs.filter((ref) => Buffer.byteLength(ref) <= refBytesMax);
  return fitting.map((ref) => ({ projectId, ref }));
}

const symbolsOf = (outcome: Symbols | UnreadableSymbolsError | undefined): Symbols | ResolveFailure =>
  outcome instanceof UnreadableSymbolsError ? failures.invalidData(outcome.message) : (outcome ?? failures.late);

const failureOf = ({ chunkId, url = '' }: SymbolReference): ResolveFailure =>
  chunkId === undefined ? failures.noMapForUrl(url) : failures.noMapForChunk(chunkId);
