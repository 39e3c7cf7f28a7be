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

/** Makes one bundle of several, in order; of a single one, that itself. At most 65,535 entries in all. */
export function joinBundles(bundles: readonly Buffer[]): Buffer {
  const [first] = bundles;
  if (bundles.length === 1 && first !== undefined) return first;
  let size = bundleHeaderBytes;
  for (const bundle of bundles) size += bundle.length - bundleHeaderBytes;
  const payload = Buffer.allocUnsafe(size);
  let count = 0;
  let at = bundleHeaderBytes;
  for (const bundle of bundles) {
    count += bundleCount(bundle);
    at += bundle.copy(payload, at, bundleHeaderBytes);
  }
  payload.writeUInt8(formatVersion, 0);
  payload.writeUInt16LE(count, 1);
  return payload;
}

/**
 * Splits a payload into its entries; they are views into the payload, not copies.
 * @throws {BundleFormatError} when the lengths do not add up or the version is unknown.
 */
export function decodeBundle(payload: Buffer): BundleEntry[] {
  if (payload.length < bundleHeaderBytes) throw new BundleFormatError('bundle shorter than its header');
  const version = payload.readUInt8(0);
  if (version !== formatVersion) throw new BundleFormatError(`unknown bundle version ${version}`);
  const count = payload.readUInt16LE(1);
  const entries: BundleEntry[] = [];
  let at = bundleHeaderBytes;
  for (let index = 0; index < count; index++) {
    if (at + entryOverheadBytes > payload.length) throw new BundleFormatError(`bundle ends inside entry ${index}`);
    const headEnd = at + entryOverheadBytes + payload.readUInt32LE(at);
    const bodyEnd = headEnd + payload.readUInt32LE(at + 4);
    if (bodyEnd > payload.length) throw new BundleFormatError(`bundle ends inside entry ${index}`);
    entries.push({ head: payload.subarray(at + entryOverheadBytes, headEnd), body: payload.subarray(headEnd, bodyEnd) });
    at = bodyEnd;
  }
  if (at !== payload.length) throw new BundleFormatError(`${payload.length - at} bytes behind the last entry`);
  return entries;
}

/** How many entries a payload says it holds, without reading them; 1 for what cannot be a bundle. */
export function bundleCount(payload: Buffer): number {
  return payload.length < bundleHeaderBytes ? 1 : payload.readUInt16LE(1);
}
