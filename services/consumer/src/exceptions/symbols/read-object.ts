import type { ObjectFiles } from '@millrace/object-storage/object-storage.ts';
import type { Readable } from 'node:stream';

/** Bytes of an object; undefined: there is none. @throws when the storage takes longer than `msMax` */
export const sizeOfObject = (storage: ObjectFiles, key: string, msMax: number): Promise<number | undefined> =>
  inTime(msMax, async () => (await storage.head(key))?.sizeBytes);

/**
 * An object of this size, in a buffer of its own, which may be handed over: nothing else holds its bytes. Undefined: there is none.
 * @throws when the storage takes longer than `msMax`, for whoever waits for it must not wait for ever, and for an object of another size
 */
export const readObject = (
  storage: ObjectFiles,
  { key, size, msMax }: { key: string; size: number; msMax: number },
): Promise<Uint8Array<ArrayBuffer> | undefined> =>
  inTime(msMax, async (late) => {
    const stream = await storage.get(key);
    return stream === undefined ? undefined : await bytesOf(stream, size, late);
  });

async function bytesOf(stream: Readable, size: number, late: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const end = (): void => void stream.destroy(late.reason as Error);
  late.addEventListener('abort', end, { once: true });
  if (late.aborted) end();
  const bytes = new Uint8Array(size);
  let at = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    if (at + chunk.length > size) throw otherSize();
    bytes.set(chunk, at);
    at += chunk.length;
  }
  if (at < size) throw otherSize();
  return bytes;
}

const otherSize = (): Error => new Error('the object was replaced while it was read');

async function inTime<T>(msMax: number, work: (late: AbortSignal) => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error('the object storage does not answer');
    ended.abort(error);
    reject(error);
  }, msMax);
  // A process that stops does not wait for it.
  timer.unref();
  try {
    return await Promise.race([work(ended.signal), promise]);
  } finally {
    clearTimeout(timer);
  }
}
