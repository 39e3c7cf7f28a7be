import type { Response } from 'express';

/** Replies whose bytes wait in memory for clients that are slow to take them. */
export interface UnsentReplies {
  /**
   * Counts the chunks of a reply until its client has taken them, or is cut; none: only the time is checked that the
   * client takes. `sent` is to be called with the bytes that the connection has taken.
   */
  hold(response: Response, chunks: readonly Uint8Array[]): { sent(bytes: number): void };
}

/** Counts a reply that is written to its end, if the kernel did not take it at once: it takes a small one, unless the client reads nothing. */
export function holdRest(response: Response, chunks: readonly Uint8Array[], unsent: UnsentReplies): void {
  if (response.writableLength > 0 && !response.destroyed) unsent.hold(response, chunks);
}

interface UnsentOptions {
  /** Most bytes that wait. Beyond, the slowest replies are cut. */
  bytesMax: number;
  /** Called for each reply that is cut. */
  onCut: () => void;
  /** Milliseconds before the rate of a reply is checked. */
  graceMs?: number;
}

interface Held {
  response: Response;
  chunks: readonly Uint8Array[];
  beganAt: number;
  sentBytes: number;
}

/** Below this rate a reply is cut even if memory is free: nobody holds a connection for ever. A minute is free. */
const leastBytesPerMs = 16;
const freeMs = 60_000;
const checkEveryMs = 1_000;

/**
 * Counts them, and checks once a second while there are some. Bytes that several replies share, those of a cached
 * result, count once.
 */
export function createUnsentReplies({ bytesMax, onCut, graceMs = 5_000 }: UnsentOptions): UnsentReplies {
  const all = new Set<Held>();
  let timer: NodeJS.Timeout | undefined;

  function cut(held: Held): void {
    leave(held);
    onCut();
    held.response.socket?.resetAndDestroy();
  }

  function leave(held: Held): void {
    all.delete(held);
    if (all.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function checkAll(): void {
    const now = performance.now();
    for (const held of all) if (now - held.beganAt > freeMs + held.sentBytes / leastBytesPerMs) cut(held);
    const slowest = [...all]
      .filter(({ beganAt }) => now - beganAt >= graceMs)
      .sort((a, b) => paceOf(a, now) - paceOf(b, now));
    for (const held of repliesToCut(slowest, all, bytesMax)) cut(held);
  }

  return {
    hold(response, chunks) {
      const held: Held = { response, chunks, beganAt: performance.now(), sentBytes: 0 };
      all.add(held);
      response.once('close', () => leave(held));
      timer ??= setInterval(checkAll, checkEveryMs).unref();
      return { sent: (bytes) => void (held.sentBytes += bytes) };
    },
  };
}

const paceOf = ({ sentBytes, beganAt }: Held, now: number): number => sentBytes / (now - beganAt);

/**
 * The first of `slowest` without which all the others keep at most `bytesMax` in memory: whole buffers, even where only a part is still
 * to be sent. Those whose buffers others keep in memory anyway are left out. In one go through them all: there may be thousands.
 */
function repliesToCut(slowest: readonly Held[], all: ReadonlySet<Held>, bytesMax: number): Held[] {
  const holders = new Map<ArrayBufferLike, number>();
  for (const held of all) for (const buffer of buffersOf(held)) holders.set(buffer, (holders.get(buffer) ?? 0) + 1);
  let bytes = 0;
  for (const { byteLength } of holders.keys()) bytes += byteLength;
  const without: Held[] = [];
  for (const held of slowest) {
    if (bytes <= bytesMax) break;
    without.push(held);
    for (const buffer of buffersOf(held)) {
      const left = (holders.get(buffer) ?? 0) - 1;
      holders.set(buffer, left);
      if (left === 0) bytes -= buffer.byteLength;
    }
  }
  return without.filter((held) => [...buffersOf(held)].some((buffer) => holders.get(buffer) === 0));
}

const buffersOf = ({ chunks }: Held): Set<ArrayBufferLike> => new Set(chunks.map(({ buffer }) => buffer));
