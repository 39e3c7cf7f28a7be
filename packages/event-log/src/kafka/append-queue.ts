/** One append and its progress. */
export interface Append {
  /** Records that have no outcome yet. */
  left: number;
  /** A record of it has been handed to the producer. */
  begun: boolean;
  /** A record of it is in the log. */
  written: boolean;
  deadlineMs: number;
  error: Error | null;
  /** Null once the caller has its outcome. */
  settle: ((error: Error | null) => void) | null;
}

interface Waiting {
  append: Append;
  value: Buffer;
}

/** Appends that wait for one partition, in order. */
export interface PartitionQueue {
  topic: string;
  partition: number;
  waiting: Waiting[];
  /** Its records are under way: others wait until the broker has acknowledged them. */
  busy: boolean;
}

/** Appends of one partition in one request. */
export interface Part {
  queue: PartitionQueue;
  records: Waiting[];
  bytes: number;
}

export interface RequestLimits {
  requestBytesMax: number;
  /** Limit of one partition: its records are one batch, which kafkajs does not split and the broker does not take when larger. */
  partBytesMax: number;
  /** Limit of one partition: kafkajs copies its list of records for each of them. */
  partRecordsMax: number;
}

/** More than what a record takes beside its value: lengths, times and the like, all of variable length. */
export const recordOverheadBytes = 32;

/** PURE but for the queues: takes the oldest records of the queues given, in their order, as far as the limits allow. */
export function takeRequest(queues: Iterable<PartitionQueue>, limits: RequestLimits): Part[] {
  const parts: Part[] = [];
  let bytes = 0;
  for (const queue of queues) {
    if (bytes >= limits.requestBytesMax) break;
    const part = takePart(queue, limits);
    if (part.records.length === 0) continue;
    bytes += part.bytes;
    parts.push(part);
  }
  return parts;
}

function takePart(queue: PartitionQueue, { partBytesMax, partRecordsMax }: RequestLimits): Part {
  let bytes = 0;
  let count = 0;
  for (const { value } of queue.waiting) {
    const more = value.length + recordOverheadBytes;
    if (count === partRecordsMax || (count > 0 && bytes + more > partBytesMax)) break;
    bytes += more;
    count += 1;
  }
  const records = queue.waiting.slice(0, count);
  queue.waiting = queue.waiting.slice(count);
  return { queue, records, bytes };
}
