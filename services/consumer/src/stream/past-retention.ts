import { OffsetGoneError, type AssignedStream } from '@millrace/event-log/event-log.ts';

/** Records that were removed before they were read. */
export interface Gap {
  /** The first offset that was requested. */
  from: bigint;
  /** The first one that still exists. */
  next: bigint;
}

/**
 * The stream, but what retention has removed is skipped: reading continues at the oldest record that exists, and `onGap`
 * is called, because these events are lost. It waits for a record when there is none.
 */
export function pastRetention(stream: AssignedStream, onGap: (gap: Gap) => void): AssignedStream {
  let reportedUntil = 0n;
  const report = (requested: bigint, next: bigint): void => {
    const from = requested > reportedUntil ? requested : reportedUntil;
    if (next <= from) return;
    reportedUntil = next;
    onGap({ from, next });
  };
  return {
    id: stream.id,
    logEpoch: stream.logEpoch,
    committed: stream.committed,
    revoked: stream.revoked,
    async read(from, limits) {
      try {
        return await stream.read(from, limits);
      } catch (error) {
        if (!(error instanceof OffsetGoneError)) throw error;
        const records = await stream.read(0n, limits);
        const [first] = records;
        if (first !== undefined) report(from, first.offset);
        return records.filter(({ offset }) => offset >= from);
      }
    },
    commit: (commit) => stream.commit(commit),
    end: () => stream.end(),
  };
}
