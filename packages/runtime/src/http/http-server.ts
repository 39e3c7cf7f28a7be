import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Listens on `host` and returns the port really taken, which for `port` 0 is any free one.
 * @throws when the port is taken or may not be used; the message names it.
 */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * Stops taking connections, lets requests under way finish, closes idle connections at once and whatever is left after
 * `graceMs`. Resolves when no connection is left.
 */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  await eventLoopTurn();
  const closed = once(server, 'close');
  server.close();
  await closeConnections(server, closed, graceMs);
}

/** Resolves a turn of the event loop later: connections that waited to be accepted are accepted by then, and a close does not cut them off. */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits for `closed`, the end of all connections of a server that takes no more: idle ones at once, the others after `graceMs`. */
export async function closeConnections(server: Server, closed: Promise<unknown>, graceMs: number): Promise<void> {
  server.closeIdleConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}
