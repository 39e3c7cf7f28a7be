import type { AssignedStream, StreamId } from '@millrace/event-log/event-log.ts';

/** Name of a stream in its log. */
export function streamName({ lane, partition, writer }: StreamId): string {
  return `${lane}:${partition}:${writer}`;
}

/** Name of a stream that no stream of another log, or of this log made anew, has (`AssignedStream.logEpoch`). */
export function uniqueStreamName({ logEpoch, id }: Pick<AssignedStream, 'logEpoch' | 'id'>): string {
  return `${logEpoch}:${streamName(id)}`;
}
