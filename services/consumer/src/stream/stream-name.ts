import type { AssignedStream, StreamId } from '@millrace/event-log/event-log.ts';

/** Name of a stream in its log. */
export function streamName({ lane, partition, writer }: StreamId): string {
  return `${lane}:${partition}:${writer}`;
}

/** Unique name of a stream, also among other logs and earlier logs in the same place (`AssignedStream.logEpoch`). */
export function uniqueStreamName({ logEpoch, id }: Pick<AssignedStream, 'logEpoch' | 'id'>): string {
  return `${logEpoch}:${streamName(id)}`;
}
