import type { AssignedStream, StreamId } from '@millrace/event-log/event-log.ts';

/** Of a stream within its log. */
export function streamName({ lane, partition, writer }: StreamId): string {
  return `${lane}:${partition}:${writer}`;
}

/** Of a stream among those of all logs that ever were (`AssignedStream.lineage`). */
export function lineageName({ lineage, id }: Pick<AssignedStream, 'lineage' | 'id'>): string {
  return `${lineage}:${streamName(id)}`;
}
