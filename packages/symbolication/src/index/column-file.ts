import { SymbolDataError } from '../symbol-data-error.ts';

/** A file of columns of 32-bit numbers, which is read in place: magic, version, size, counts; the columns; areas of bytes. */
export interface FileFormat<Count extends string, Column extends string, Area extends string> {
  /** Its first 8 characters. */
  magic: string;
  /** Changes with every change of the format or of what is written: a file of another version is made anew. */
  version: number;
  /** Names of the counts, from which all lengths follow. */
  counts: readonly Count[];
  /** Entries of each column, in the order of the file. */
  columns: (counts: Readonly<Record<Count, number>>) => Readonly<Record<Column, number>>;
  /** Bytes of each area, in the order of the file. */
  areas: (counts: Readonly<Record<Count, number>>) => Readonly<Record<Area, number>>;
}

/** A file with views of its parts. */
export interface ColumnFile<Column extends string, Area extends string> {
  bytes: Buffer;
  columns: Readonly<Record<Column, Uint32Array>>;
  areas: Readonly<Record<Area, Buffer>>;
}

/** Places of the head. */
const head = { version: 8, size: 12, counts: 16 };
/** Bytes of a file: the greatest number that its head can hold is more. */
const bytesMax = 1024 * 1024 * 1024;

/** Makes a file whose columns and areas are to be filled. @throws {SymbolDataError} for one of more than 1 GiB */
export function createFile<Count extends string, Column extends string, Area extends string>(
  format: FileFormat<Count, Column, Area>,
  counts: Readonly<Record<Count, number>>,
): ColumnFile<Column, Area> {
  const size = sizeOf(format, counts);
  if (size > bytesMax) throw new SymbolDataError('index', `it would have more than ${bytesMax} bytes`);
  const bytes = Buffer.alloc(size);
  bytes.write(format.magic, 'latin1');
  bytes.writeUInt32LE(format.version, head.version);
  bytes.writeUInt32LE(size, head.size);
  for (const [index, name] of format.counts.entries()) bytes.writeUInt32LE(counts[name], head.counts + 4 * index);
  return layOut(format, bytes, counts);
}

/** Opens a file without reading more than its head; null for bytes that are no whole file of this version. Keeps the bytes. */
export function openFile<Count extends string, Column extends string, Area extends string>(
  format: FileFormat<Count, Column, Area>,
  given: Uint8Array,
): ColumnFile<Column, Area> | null {
  const isAligned = given.byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0;
  const { buffer, byteOffset, byteLength } = isAligned ? given : new Uint8Array(given);
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (bytes.length < headBytes(format) || !isOfFormat(bytes, format)) return null;
  if (bytes.readUInt32LE(head.version) !== format.version || bytes.readUInt32LE(head.size) !== bytes.length)
    return null;
  const entries = format.counts.map((name, index) => [name, bytes.readUInt32LE(head.counts + 4 * index)]);
  const counts = Object.fromEntries(entries) as Record<Count, number>;
  return sizeOf(format, counts) === bytes.length ? layOut(format, bytes, counts) : null;
}

/** True for bytes that begin with the magic of a format. */
export const isOfFormat = (bytes: Uint8Array, { magic }: { magic: string }): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(magic.length, bytes.length)).toString('latin1') === magic;

const headBytes = ({ counts }: { counts: readonly string[] }): number => head.counts + 4 * counts.length;

function sizeOf<Count extends string, Column extends string, Area extends string>(
  format: FileFormat<Count, Column, Area>,
  counts: Readonly<Record<Count, number>>,
): number {
  const entries = sumOf(Object.values<number>(format.columns(counts)));
  return headBytes(format) + 4 * entries + sumOf(Object.values<number>(format.areas(counts)));
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

function layOut<Count extends string, Column extends string, Area extends string>(
  format: FileFormat<Count, Column, Area>,
  bytes: Buffer,
  counts: Readonly<Record<Count, number>>,
): ColumnFile<Column, Area> {
  let at = headBytes(format);
  const columns = Object.entries<number>(format.columns(counts)).map(([name, length]) => {
    const column = new Uint32Array(bytes.buffer, bytes.byteOffset + at, length);
    at += column.byteLength;
    return [name, column] as const;
  });
  const areas = Object.entries<number>(format.areas(counts)).map(([name, length]) => {
    at += length;
    return [name, bytes.subarray(at - length, at)] as const;
  });
  return {
    bytes,
    columns: Object.fromEntries(columns) as Record<Column, Uint32Array>,
    areas: Object.fromEntries(areas) as Record<Area, Buffer>,
  };
}
