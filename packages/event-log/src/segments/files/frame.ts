import { crc32 } from 'node:zlib';

/**
 * One record on disk (little endian):
 *
 *     u32 magic · u32 crc32 of all that follows · u32 payload length · u16 partition · u48 time · u48 offset · payload
 */
export const frameHeaderBytes = 26;

/** Largest payload of one record; far above a bundle's limit, so that a damaged length is noticed. */
export const payloadBytesMax = 8 * 1024 * 1024;

const magic = 0x31464d9e;
const magicBytes = Buffer.from([0x9e, 0x4d, 0x46, 0x31]);

/** Range of a record in a buffer. Offsets and times are below 2^48, so numbers hold them exactly. */
export interface Frame {
  /** First byte of the frame. */
  start: number;
  /** Byte after its payload. */
  end: number;
  partition: number;
  timeMs: number;
  offset: number;
}

/** Writes a frame at `at`; returns the position after it. The target must be large enough. */
export function writeFrame(
  target: Buffer,
  at: number,
  frame: { partition: number; timeMs: number; offset: number; payload: Buffer },
): number {
  const end = at + frameHeaderBytes + frame.payload.length;
  target.writeUInt32LE(magic, at);
  target.writeUInt32LE(frame.payload.length, at + 8);
  target.writeUInt16LE(frame.partition, at + 12);
  target.writeUIntLE(frame.timeMs, at + 14, 6);
  target.writeUIntLE(frame.offset, at + 20, 6);
  frame.payload.copy(target, at + frameHeaderBytes);
  target.writeUInt32LE(crc32(target.subarray(at + 8, end)), at + 4);
  return end;
}

/** Result of `parseFrames`: its end position, the bytes skipped, and the bytes needed to continue. */
export interface Parsed {
  end: number;
  damagedBytes: number;
  /** Length of the frame at `end` that is cut by the buffer's end; 0 when none is. */
  frameBytes: number;
}

/**
 * Finds the whole frames with a right checksum between `from` and `to`, in order. Bytes that are no frame are skipped
 * up to the next frame, so one damaged record does not take its neighbours with it. With `final` nothing follows
 * `to`: a frame that is cut there is damage; without it, parsing stops in front of it.
 */
export function parseFrames(
  buffer: Buffer,
  from: number,
  to: number,
  final: boolean,
  visit: (frame: Frame) => void,
): Parsed {
  let at = from;
  let damagedBytes = 0;
  while (at < to) {
    const frameBytes = frameLengthAt(buffer, at, to);
    if (frameBytes !== null && at + frameBytes > to && !final) return { end: at, damagedBytes, frameBytes };
    if (frameBytes !== null && at + frameBytes <= to && checksumHolds(buffer, at, frameBytes)) {
      visit(frameAt(buffer, at, frameBytes));
      at += frameBytes;
      continue;
    }
    const next = nextMagic(buffer, at + 1, to, final);
    damagedBytes += next - at;
    at = next;
  }
  return { end: at, damagedBytes, frameBytes: 0 };
}

/** Length of the frame that seems to begin here (its header's when not even that is whole), or null. */
function frameLengthAt(buffer: Buffer, at: number, to: number): number | null {
  const there = Math.min(magicBytes.length, to - at);
  if (buffer.compare(magicBytes, 0, there, at, at + there) !== 0) return null;
  if (at + frameHeaderBytes > to) return frameHeaderBytes;
  const length = buffer.readUInt32LE(at + 8);
  return length > payloadBytesMax ? null : frameHeaderBytes + length;
}

/** True when the frame's checksum is that of its bytes. */
export function checksumHolds(buffer: Buffer, at: number, frameBytes: number): boolean {
  return buffer.readUInt32LE(at + 4) === crc32(buffer.subarray(at + 8, at + frameBytes));
}

function frameAt(buffer: Buffer, at: number, frameBytes: number): Frame {
  return {
    start: at,
    end: at + frameBytes,
    partition: buffer.readUInt16LE(at + 12),
    timeMs: buffer.readUIntLE(at + 14, 6),
    offset: buffer.readUIntLE(at + 20, 6),
  };
}

function nextMagic(buffer: Buffer, from: number, to: number, final: boolean): number {
  const found = buffer.subarray(0, to).indexOf(magicBytes, from);
  if (found !== -1) return found;
  // The last three bytes may be the beginning of a magic number that the buffer cuts.
  return final ? to : Math.min(to, Math.max(from, to - magicBytes.length + 1));
}
