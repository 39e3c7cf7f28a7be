import type { StreamId } from '@millrace/event-log/event-log.ts';

/** Position of a dead letter in its lane. `index` counts within the record. */
export interface LetterPosition {
  partition: number;
  writer: StreamId['writer'];
  offset: bigint;
  index: number;
}

const form = /^(?:([a-z0-9][a-z0-9-]*):)?(\d{1,9}):(\d{1,18})(?:\.(\d{1,6}))?$/;

/** The position as operators name it: `[writer:]partition:offset[.index]`; in Kafka there is no writer. Pure. */
export function formatLetterId({ partition, writer, offset, index }: LetterPosition): string {
  return `${writer === '' ? '' : `${writer}:`}${partition}:${offset}${index === 0 ? '' : `.${index}`}`;
}

/** The position that an id names, or null. Pure. */
export function parseLetterId(id: string): LetterPosition | null {
  const match = form.exec(id);
  if (match === null) return null;
  const [, writer = '', partition, offset = '0', index = '0'] = match;
  return { partition: Number(partition), writer, offset: BigInt(offset), index: Number(index) };
}
