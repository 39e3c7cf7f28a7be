import type { Release } from '@millrace/symbolication/exceptions/exception-releases.ts';
import type { FindSymbols } from '@millrace/symbolication/frames/resolve-frame.ts';
import type { FrameRecord } from '@millrace/symbolication/frames/resolved-frame.ts';
import type { StoredFrame } from './frame-store.ts';
import type { BatchSymbols } from './symbols/symbol-source.ts';

/** The symbols of one project, for one event. */
interface ProjectSymbols {
  find: FindSymbols;
  /** Releases of the sets that were found so far. */
  readonly releases: readonly Release[];
  /** The record of a frame with the set that it was looked for in. */
  stored: (record: FrameRecord) => StoredFrame;
}

export function projectSymbols(symbols: Pick<BatchSymbols, 'find'>, projectId: number): ProjectSymbols {
  const releases: Release[] = [];
  return {
    releases,
    find(reference) {
      const { symbols: outcome, set } = symbols.find(projectId, reference);
      if (set?.release != null) releases.push(set.release);
      return outcome;
    },
    stored(record) {
      const found = record.reference === null ? null : symbols.find(projectId, record.reference);
      return { projectId, record, symbolSetRef: found?.ref ?? null, symbolSetId: found?.set?.id ?? null };
    },
  };
}
