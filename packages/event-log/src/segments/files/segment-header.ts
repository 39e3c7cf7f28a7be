import { crc32 } from 'node:zlib';

/**
 * How a segment begins (little endian): magic, version, partitions, sequence number, epoch, where its predecessor
 * ends, then for each partition two offsets; crc32 of all that at the end.
 */
export interface SegmentHeader {
  sequence: number;
  /** Epoch of the lease under which it was created: for diagnosis. */
  epoch: number;
  /** End of the records in the segment before. Bytes after it are no records (torn, or a fenced process's). */
  previousEnd: number;
  /** For each partition the offset after its newest record in front of this segment. */
  ends: number[];
  /** For each partition the least offset that this segment may use: `ends`, or more after a power loss. */
  next: number[];
}

const segmentFormatVersion = 1;
const magic = Buffer.from('MRSG');
const fixedBytes = 28;

/** Bytes of a header; records begin after it. */
export function segmentHeaderBytes(partitions: number): number {
  return fixedBytes + partitions * 12 + 4;
}

/** Thrown when a file is no segment of this build's format. */
class SegmentFormatError extends Error {
  override name = 'SegmentFormatError';
}

export function encodeSegmentHeader(header: SegmentHeader): Buffer {
  const partitions = header.ends.length;
  const size = segmentHeaderBytes(partitions);
  const target = Buffer.alloc(size);
  magic.copy(target, 0);
  target.writeUInt16LE(segmentFormatVersion, 4);
  target.writeUInt32LE(partitions, 6);
  target.writeUIntLE(header.sequence, 10, 6);
  target.writeUIntLE(header.epoch, 16, 6);
  target.writeUIntLE(header.previousEnd, 22, 6);
  header.ends.forEach((end, partition) => target.writeUIntLE(end, fixedBytes + partition * 12, 6));
  header.next.forEach((next, partition) => target.writeUIntLE(next, fixedBytes + partition * 12 + 6, 6));
  target.writeUInt32LE(crc32(target.subarray(0, size - 4)), size - 4);
  return target;
}

/** @throws {SegmentFormatError} when the bytes are not a header for that many partitions, or of another version. */
export function decodeSegmentHeader(bytes: Buffer, partitions: number): SegmentHeader {
  const size = segmentHeaderBytes(partitions);
  if (bytes.length < size || !bytes.subarray(0, 4).equals(magic)) throw new SegmentFormatError('no segment header');
  const version = bytes.readUInt16LE(4);
  if (version !== segmentFormatVersion) throw new SegmentFormatError(`unknown segment version ${version}`);
  if (bytes.readUInt32LE(6) !== partitions) throw new SegmentFormatError('segment of another number of partitions');
  if (bytes.readUInt32LE(size - 4) !== crc32(bytes.subarray(0, size - 4)))
    throw new SegmentFormatError('damaged segment header');
  const offsets = (shift: number): number[] =>
    Array.from({ length: partitions }, (_, partition) => bytes.readUIntLE(fixedBytes + partition * 12 + shift, 6));
  return {
    sequence: bytes.readUIntLE(10, 6),
    epoch: bytes.readUIntLE(16, 6),
    previousEnd: bytes.readUIntLE(22, 6),
    ends: offsets(0),
    next: offsets(6),
  };
}
