/**
 * The payload of one log record: up to `bundleEventsMax` entries of one partition.
 *
 *     u8 version · u16 count · count × (u32 head length · u32 body length · head · body)      (little endian)
 *
 * For events the head is a `CapturedEvent` as JSON and the body the client's own text of the properties object; for
 * warnings the head is a `CapturedWarning` and the body is empty. An entry that cannot be read (bad JSON) never hurts
 * its neighbours, because the lengths, not the contents, say where it ends.
 */
export interface BundleEntry {
  head: Buffer;
  body: Buffer;
}

const formatVersion = 1;
/** Bytes in front of the first entry. */
export const bundleHeaderBytes = 3;

/** Bytes that an entry takes in a bundle beside its head and body. */
export const entryOverheadBytes = 8;

/** Thrown when a payload is not a bundle of a version that this build knows. */
export class BundleFormatError extends Error {
  override name = 'BundleFormatError';
}

/** Joins entries to one payload. At most 65,535 entries. */
export function encodeBundle(entries: readonly BundleEntry[]): Buffer {
  let size = bundleHeaderBytes;
  for (const entry of entries) size += entryOverheadBytes + entry.head.length + entry.body.length;
  const payload = Buffer.allocUnsafe(size);
  payload.writeUInt8(formatVersion, 0);
  payload.writeUInt16LE(entries.length, 1);
  let at = bundleHeaderBytes;
  for (const { head, body } of entries) {
    payload.writeUInt32LE(head.length, at);
    payload.writeUInt32LE(body.length, at + 4);
    at += entryOverheadBytes;
    at += head.copy(payload, at);
    at += body.copy(payload, at);
  }
  return payload;
}

/** An entry that is still to be written: its head as text, and where its body lies in somebody's bytes. */
export interface EntryDraft {
  head: string;
  bytes: Buffer;
  start: number;
  end: number;
}

/** The most bytes that UTF-8 takes for one UTF-16 unit of a JavaScript string. */
const bytesPerCharacterMax = 3;

/** True when the entry takes at most `bytesMax` in a bundle. Counts the bytes of its head only when its length leaves that open. */
export function fitsInto(bytesMax: number, { head, start, end }: EntryDraft): boolean {
  const left = bytesMax - entryOverheadBytes - (end - start);
  return head.length * bytesPerCharacterMax <= left || (head.length <= left && Buffer.byteLength(head) <= left);
}

const firstBytes = 16 * 1024;

/** Writes entries into one payload as they come, each byte copied once. At most 65,535 entries. */
export class BundleWriter {
  #buffer = Buffer.allocUnsafeSlow(firstBytes);
  #length = bundleHeaderBytes;
  #count = 0;

  /** Length of the payload so far. */
  get length(): number {
    return this.#length;
  }

  /** Entries so far. */
  get count(): number {
    return this.#count;
  }

  /** Bytes of memory that this takes. */
  get capacity(): number {
    return this.#buffer.length;
  }

  add({ head, bytes, start, end }: EntryDraft): void {
    const at = this.#length;
    this.#ensureCapacity(at + entryOverheadBytes + head.length * bytesPerCharacterMax + end - start);
    const buffer = this.#buffer;
    const headBytes = buffer.write(head, at + entryOverheadBytes);
    const bodyAt = at + entryOverheadBytes + headBytes;
    buffer.writeUInt32LE(headBytes, at);
    buffer.writeUInt32LE(end - start, at + 4);
    this.#length = bodyAt + bytes.copy(buffer, bodyAt, start, end);
    this.#count++;
  }

  /** Removes the `count` entries that lie between `from` and `to`; both are values that `length` had earlier. */
  remove(from: number, to: number, count: number): void {
    this.#buffer.copyWithin(from, to, this.#length);
    this.#length -= to - from;
    this.#count -= count;
  }

  /** The payload so far: a view of memory that is overwritten after `clear`. */
  payload(): Buffer {
    this.#buffer.writeUInt8(formatVersion, 0);
    this.#buffer.writeUInt16LE(this.#count, 1);
    return this.#buffer.subarray(0, this.#length);
  }

  /** Forgets all entries, and keeps the memory for the next ones. */
  clear(): void {
    this.#length = bundleHeaderBytes;
    this.#count = 0;
  }

  #ensureCapacity(bytes: number): void {
    if (bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/**
 * Splits a payload into its entries; they are views into the payload, not copies.
 * @throws {BundleFormatError} when the lengths do not add up or the version is unknown.
 */
export function decodeBundle(payload: Buffer): BundleEntry[] {
  const entries: BundleEntry[] = [];
  eachEntry(payload, (headStart, bodyStart, end) =>
    entries.push({ head: payload.subarray(headStart, bodyStart), body: payload.subarray(bodyStart, end) }),
  );
  return entries;
}

/**
 * Shows where the entries of a payload lie, one after the other: head and body of each follow each other.
 * @throws {BundleFormatError} when the lengths do not add up or the version is unknown; some entries were shown then.
 */
export function eachEntry(payload: Buffer, visit: (headStart: number, bodyStart: number, end: number) => void): void {
  if (payload.length < bundleHeaderBytes) throw new BundleFormatError('bundle shorter than its header');
  const version = payload.readUInt8(0);
  if (version !== formatVersion) throw new BundleFormatError(`unknown bundle version ${version}`);
  const count = payload.readUInt16LE(1);
  let at = bundleHeaderBytes;
  for (let index = 0; index < count; index++) {
    if (at + entryOverheadBytes > payload.length) throw new BundleFormatError(`bundle ends inside entry ${index}`);
    const headEnd = at + entryOverheadBytes + payload.readUInt32LE(at);
    const bodyEnd = headEnd + payload.readUInt32LE(at + 4);
    if (bodyEnd > payload.length) throw new BundleFormatError(`bundle ends inside entry ${index}`);
    visit(at + entryOverheadBytes, headEnd, bodyEnd);
    at = bodyEnd;
  }
  if (at !== payload.length) throw new BundleFormatError(`${payload.length - at} bytes behind the last entry`);
}

/** How many entries a payload says it holds, without reading them; 1 for what cannot be a bundle. */
export function bundleCount(payload: Buffer): number {
  return payload.length < bundleHeaderBytes ? 1 : payload.readUInt16LE(1);
}
