/** First bytes of an index. */
const magic = Buffer.from('MRSYMIDX');
/** Changes with every change of the layout or of what is written: an index of another version is made anew. */
const indexVersion = 1;

/** Numbers of entries, in the order in which the head has them. */
export interface IndexCounts {
  lines: number;
  segments: number;
  /** Places where the innermost function of the script changes. */
  boundaries: number;
  sources: number;
  /** Names of sources, then names of functions. */
  strings: number;
  /** Lines of the texts of all sources. */
  contentLines: number;
  /** Bytes of all strings. */
  stringBytes: number;
  /** Bytes of the texts of all sources. */
  contentBytes: number;
}

const countNames = [
  'lines',
  'segments',
  'boundaries',
  'sources',
  'strings',
  'contentLines',
  'stringBytes',
  'contentBytes',
] as const satisfies readonly (keyof IndexCounts)[];

/** Places of the head: magic, version, size of the whole, counts. */
const head = { version: 8, size: 12, counts: 16 };
const headBytes = head.counts + 4 * countNames.length;

/** Length of each column of 32 bits, little end first, in the order of the file. */
const columnLengths = ({ lines, segments, boundaries, sources, strings, contentLines }: IndexCounts) => ({
  /** Of each line of the script its first segment; one more for the end. */
  lineStarts: lines + 1,
  /** Columns of segments, sorted by line and column. */
  column: segments,
  source: segments,
  originalLine: segments,
  originalColumn: segments,
  boundaryLine: boundaries,
  boundaryColumn: boundaries,
  /** A string, or `none`. */
  boundaryName: boundaries,
  /** Of each source its first line among the lines of all texts; one more for the end. A source without a text has no lines. */
  contentStarts: sources + 1,
  /** Of each line of a text its first byte; one more for the end. */
  contentLineStarts: contentLines + 1,
  /** Bytes at which strings end. */
  stringEnds: strings,
});

/** Names of the columns. */
type ColumnName = keyof ReturnType<typeof columnLengths>;
/** The columns of an index, as views of its bytes. */
export type Columns = Readonly<Record<ColumnName, Uint32Array>>;

/** An index that is laid out over bytes. */
export interface LaidOut {
  counts: IndexCounts;
  columns: Columns;
  strings: Buffer;
  /** Texts of sources, in UTF-8. They come last, so that all else can be read without them. */
  contents: Buffer;
}

/** Bytes of an index with these counts. */
export function sizeOf(counts: IndexCounts): number {
  const entries = Object.values(columnLengths(counts)).reduce((sum, length) => sum + length, 0);
  return headBytes + 4 * entries + counts.stringBytes + counts.contentBytes;
}

/** Writes the head of an index of these counts. */
export function writeHead(bytes: Buffer, counts: IndexCounts): void {
  magic.copy(bytes);
  bytes.writeUInt32LE(indexVersion, head.version);
  bytes.writeUInt32LE(sizeOf(counts), head.size);
  for (const [index, name] of countNames.entries()) bytes.writeUInt32LE(counts[name], head.counts + 4 * index);
}

/** Counts in the head of an index, or null for bytes that are no whole index of this version. */
export function readHead(bytes: Buffer): IndexCounts | null {
  if (bytes.length < headBytes || !bytes.subarray(0, magic.length).equals(magic)) return null;
  if (bytes.readUInt32LE(head.version) !== indexVersion || bytes.readUInt32LE(head.size) !== bytes.length) return null;
  const read = (index: number): number => bytes.readUInt32LE(head.counts + 4 * index);
  const counts = Object.fromEntries(countNames.map((name, index) => [name, read(index)])) as unknown as IndexCounts;
  return sizeOf(counts) === bytes.length ? counts : null;
}

/** Lays an index out over its bytes, which must begin at a multiple of 4 in their memory. */
export function layOut(bytes: Buffer, counts: IndexCounts): LaidOut {
  let at = headBytes;
  const columns = Object.entries(columnLengths(counts)).map(([name, length]) => {
    const column = new Uint32Array(bytes.buffer, bytes.byteOffset + at, length);
    at += column.byteLength;
    return [name, column];
  });
  return {
    counts,
    columns: Object.fromEntries(columns) as Columns,
    strings: bytes.subarray(at, at + counts.stringBytes),
    contents: bytes.subarray(at + counts.stringBytes),
  };
}
