import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Where a statement is held. `request`: ClickHouse does not get it. `sent`: ClickHouse has it, and its reply is held. `reply`: ClickHouse has
 * done it, and its reply is held.
 */
export type HeldAt = 'request' | 'sent' | 'reply';

/** A statement that is held until `go`, or until its client is gone. */
interface HeldStatement {
  reached: Promise<void>;
  go: () => void;
}

/** A way to ClickHouse that sees each statement. */
export interface StatementProxy {
  readonly url: string;
  /** Connections are cut, and no statement passes. */
  isAway: boolean;
  /** Statements that have passed, in the order of their arrival. */
  readonly seen: readonly string[];
  /** Most statements that ran at once, of those that match. */
  mostAtOnce(pattern: RegExp): number;
  /** Holds the next statement that matches. */
  hold(pattern: RegExp, at: HeldAt): HeldStatement;
  close(): Promise<void>;
}

export async function startStatementProxy(target: string): Promise<StatementProxy> {
  const seen: string[] = [];
  const running = new Set<string>();
  const together: string[][] = [];
  let holding: { pattern: RegExp; at: HeldAt; reach: () => void; released: Promise<void> } | undefined;

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    if (proxy.isAway) return void response.destroy();
    const sql = body.toString();
    const held = holding?.pattern.test(sql) === true ? holding : undefined;
    if (held !== undefined) holding = undefined;
    const holdAt = async (at: HeldAt): Promise<void> => {
      if (held?.at !== at) return;
      held.reach();
      await held.released;
    };
    const gone = once(response, 'close');
    await Promise.race([holdAt('request'), gone]);
    if (response.destroyed) return;
    seen.push(sql);
    running.add(sql);
    together.push([...running]);
    try {
      const sent = request(new URL(incoming.url ?? '/', target), {
        method: incoming.method,
        headers: incoming.headers,
      });
      response.on('close', () => sent.destroy());
      sent.end(body);
      const replied = once(sent, 'response') as Promise<[IncomingMessage]>;
      replied.catch(() => undefined);
      await Promise.race([holdAt('sent'), gone]);
      const [reply] = await replied;
      const rows = Buffer.concat(await reply.toArray());
      await Promise.race([holdAt('reply'), gone]);
      response.writeHead(reply.statusCode ?? 500, reply.headers).end(rows);
    } finally {
      running.delete(sql);
    }
  }

  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let isAway = false;
  const proxy: StatementProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    get isAway() {
      return isAway;
    },
    set isAway(next) {
      isAway = next;
      if (next) server.closeAllConnections();
    },
    mostAtOnce: (pattern) => Math.max(0, ...together.map((sqls) => sqls.filter((sql) => pattern.test(sql)).length)),
    hold(pattern, at) {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      holding = { pattern, at, reach: reached.resolve, released: released.promise };
      return { reached: reached.promise, go: released.resolve };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
