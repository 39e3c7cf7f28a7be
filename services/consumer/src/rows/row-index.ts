import { bundleCount } from '@millrace/captured-event/event-bundle.ts';
import type { LogRecord } from '@millrace/event-log/event-log.ts';
import type { Position } from '../stream/position.ts';

/**
 * The row index of a batch, from 0: a number for every entry of its records, stored or not. The same records always give the
 * same numbers, so that the token of a range of rows means the same in whatever try.
 */
export interface RowIndex {
  readonly count: number;
  of(position: Position): number;
  /** Ranges that were once too much for one insert: they stay divided when the batch's persons are read anew and are smaller. */
  readonly divided: Set<string>;
}

/** The row index of these records; counted when first read. */
export function rowIndexOf(records: readonly LogRecord[]): RowIndex {
  let counted: { starts: Map<bigint, number>; count: number } | null = null;
  const count = (): { starts: Map<bigint, number>; count: number } => {
    const [starts, total] = [new Map<bigint, number>(), { count: 0 }];
    for (const { offset, payload } of records) {
      starts.set(offset, total.count);
      total.count += bundleCount(payload);
    }
    return { starts, ...total };
  };
  return {
    get count() {
      return (counted ??= count()).count;
    },
    of: ({ offset, index }) => ((counted ??= count()).starts.get(offset) ?? 0) + index,
    divided: new Set(),
  };
}
