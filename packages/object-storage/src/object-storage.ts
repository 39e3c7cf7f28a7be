import type { Readable } from 'node:stream';
import { uuidV7 } from '@millrace/runtime/ids.ts';

/** More bytes came than were allowed. */
export class TooManyBytesError extends Error {
  override name = 'TooManyBytesError';
}

/** How long an address is good for, and where this API is, for a storage whose addresses the API serves itself. */
interface Addressing {
  /** Counted from now. */
  lifetimeSeconds: number;
  /** As the client who gets the address sees it, without trailing slash. */
  baseUrl: string;
}

/** Address to which a form with these fields and then a `file` is posted (multipart/form-data); the reply is 204. */
export interface PresignedPost {
  url: string;
  fields: Record<string, string>;
}

/** Keeps objects: bytes under a key (`newObjectKey`). What is put or uploaded replaces what was there, whole or not at all. */
export interface ObjectFiles {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * Stores what the stream brings, when it ends well; never holds the whole of it in memory.
   * @throws {TooManyBytesError} as soon as there are more than `bytesMax`; then nothing is stored
   */
  receive(key: string, source: Readable, bytesMax: number): Promise<void>;
  /** Undefined: there is no such object. The reader must end or destroy the stream. */
  get(key: string): Promise<Readable | undefined>;
  /** Undefined: there is no such object. */
  head(key: string): Promise<{ sizeBytes: number } | undefined>;
  /** Gives the bytes of an object another key too; whatever replaces them later, they stay there. False: there is no such object. */
  copy(from: string, to: string): Promise<boolean>;
  /** No such object is as good. */
  delete(key: string): Promise<void>;
  /** Keys of a folder in their order, so that those of `newObjectKey` come as they were made. */
  list(folder: string): AsyncIterable<string>;
  /** Makes ready what can be; a storage that is away is no failure, but logged. */
  start(): Promise<void>;
  close(): void;
}

/**
 * Objects whose clients upload and download by themselves, with addresses that are good for one object, for one purpose and for a time.
 */
export interface ObjectStorage extends ObjectFiles {
  /** For an upload of at most `bytesMax` bytes; more is refused while it arrives. */
  presignPost(key: string, limits: Addressing & { bytesMax: number }): Promise<PresignedPost>;
  /** For a PUT of the raw bytes, whose Content-Length must be `contentLength`. */
  presignPut(key: string, limits: Addressing & { contentLength: number }): Promise<string>;
  /** For a download; the reply says `contentType`, and that it is to be saved as `fileName`. */
  presignGet(key: string, file: Addressing & { contentType: string; fileName: string }): Promise<string>;
}

const keyPattern = /^[a-z_]{1,40}\/[A-Za-z0-9_-]{1,100}$/;

/** A new, unused key: `<folder>/<uuid>`. */
export function newObjectKey(folder: string, nowMs: number): string {
  return requireObjectKey(`${folder}/${uuidV7(nowMs)}`);
}

/** Time at which `newObjectKey` made the key; undefined: it did not. Pure. */
export function keyMadeAtMs(key: string): number | undefined {
  const time = /\/([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.exec(key);
  return time === null ? undefined : parseInt(`${time[1]}${time[2]}`, 16);
}

/** The key. @throws when it is none: a folder and a name, nothing that leads out of them */
export function requireObjectKey(key: string): string {
  if (!isObjectKey(key)) throw new Error('this is no key of an object');
  return key;
}

/** The folder of keys. @throws when it is none */
export function requireObjectFolder(folder: string): string {
  requireObjectKey(`${folder}/a`);
  return folder;
}

export const isObjectKey = (text: string): boolean => keyPattern.test(text);

/** The header with which a download is saved under a name (RFC 6266); whatever the name holds, it stays in its quotes. */
export function attachment(fileName: string): string {
  const plain = fileName.normalize('NFKD').replaceAll(/[^A-Za-z0-9 ._-]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** The source's chunks. When a reader stops early, the source is left as it is: a request must still get its reply. @throws {TooManyBytesError} */
export async function* atMost(bytesMax: number, source: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > bytesMax) throw new TooManyBytesError(`more than ${bytesMax} bytes`);
    yield chunk as Uint8Array;
  }
}
