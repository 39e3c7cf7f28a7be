import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Listens on 127.0.0.1 or `host` and answers with the port really taken (for `port` 0).
 * @throws when the port is taken or may not be used; the message names it.
 */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * Stops taking connections, lets requests under way finish, closes idle connections at once and whatever is left
 * after `graceMs`. Answers when no connection is left.
 */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  await lookOnce();
  const closed = once(server, 'close');
  server.close();
  await closeConnections(server, closed, graceMs);
}

/** Resolves when the process has looked for input once more: those who wait to be let in are, and not cut off by a close. */
export function lookOnce(): Promise<void> {
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
