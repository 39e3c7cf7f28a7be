import type { IncomingMessage } from 'node:http';

/** Requests that are read on in one turn of the event loop; each brings a piece of up to 64 KiB. */
const atOnce = 4;

interface Resting {
  request: IncomingMessage;
  order: number;
}

/** One list for all requests of the process, as they share its event loop. */
let resting: Resting[] = [];

/**
 * Rests a request until a later turn of the event loop: without it one turn reads up to 2 MiB of each body, because libuv reads a socket 32 times.
 * The lowest `order` is read on first: bodies that arrive together end one after the other, and few are in memory as a whole.
 */
export function restForATurn(request: IncomingMessage, order: number): void {
  request.pause();
  if (resting.length === 0) setImmediate(readOn);
  resting.push({ request, order });
}

function readOn(): void {
  const sorted = resting.toSorted((one, other) => one.order - other.order);
  resting = sorted.slice(atOnce);
  if (resting.length > 0) setImmediate(readOn);
  for (const { request } of sorted.slice(0, atOnce)) request.resume();
}
