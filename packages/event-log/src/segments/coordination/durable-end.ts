import { lanes, type Lane } from '@millrace/contracts/lanes.ts';
import { crc32 } from 'node:zlib';
import { heartbeatBytes } from './heartbeat.ts';

/**
 * How far a lane of one writer is on disk. A reader goes no further: what was written but not synced could vanish
 * with the power, and its offsets would then name other records.
 */
export interface DurableEnd {
  sequence: number;
  /** Byte after the last durable record of that segment. */
  position: number;
  /** For each partition the offset after its newest durable record. */
  ends: number[];
}

const entryFixedBytes = 16;

function entryBytes(partitions: number): number {
  return entryFixedBytes + partitions * 6;
}

/** Bytes of a lease file: its heartbeat, then one durable end a lane. */
export function leaseBytes(partitions: number): number {
  return heartbeatBytes + lanes.length * entryBytes(partitions);
}

/** Position of the end of a lane in a lease file. */
export function durableEndAt(lane: Lane, partitions: number): number {
  return heartbeatBytes + lanes.indexOf(lane) * entryBytes(partitions);
}

export function encodeDurableEnd(end: DurableEnd): Buffer {
  const entry = Buffer.allocUnsafe(entryBytes(end.ends.length));
  entry.writeUIntLE(end.sequence, 4, 6);
  entry.writeUIntLE(end.position, 10, 6);
  for (let partition = 0; partition < end.ends.length; partition++) {
    entry.writeUIntLE(end.ends[partition] ?? 0, entryFixedBytes + partition * 6, 6);
  }
  entry.writeUInt32LE(crc32(entry.subarray(4)), 0);
  return entry;
}

/** Reads the end of a lane from a lease file; null when there is none, or (at this moment) only half a one. */
export function decodeDurableEnd(lease: Buffer, lane: Lane, partitions: number): DurableEnd | null {
  const at = durableEndAt(lane, partitions);
  const entry = lease.subarray(at, at + entryBytes(partitions));
  if (entry.length < entryBytes(partitions) || entry.readUIntLE(4, 6) === 0) return null;
  if (entry.readUInt32LE(0) !== crc32(entry.subarray(4))) return null;
  return {
    sequence: entry.readUIntLE(4, 6),
    position: entry.readUIntLE(10, 6),
    ends: Array.from({ length: partitions }, (_, partition) => entry.readUIntLE(entryFixedBytes + partition * 6, 6)),
  };
}

/** True when `a` is further than `b`. */
export function isFurther(a: DurableEnd, b: DurableEnd): boolean {
  return a.sequence > b.sequence || (a.sequence === b.sequence && a.position > b.position);
}
