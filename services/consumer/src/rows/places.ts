import { bundleCount } from '@millrace/captured-event/event-bundle.ts';
import type { LogRecord } from '@millrace/event-log/event-log.ts';
import type { Position } from '../stream/position.ts';

/**
 * The places of a batch, numbered from 0: one for every entry of its records, stored or not. The same records always give the
 * same numbers, so that a token of a stretch of them means the same in whatever try.
 */
export interface Places {
  readonly count: number;
  of(position: Position): number;
  /** Stretches that were once too much for one insert: they stay divided when the batch's persons are read anew and are smaller. */
  readonly divided: Set<string>;
}

/** The places of these records; counted when first asked for. */
export function placesOf(records: readonly LogRecord[]): Places {
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
