import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { closeConnections, eventLoopTurn } from '../http/http-server.ts';

// Messages between the first process and its workers. A channel keeps its order, so after `last` nothing comes in.
const messages = {
  /** Worker: hand me connections. */
  join: 'shared port: join',
  /** First process, with a connection. */
  connection: 'shared port: connection',
  /** Worker: no more, please. */
  leave: 'shared port: leave',
  /** First process: you have had the last one. */
  last: 'shared port: last',
} as const;

/** The first process' side of a port that several workers serve. */
export interface SharedPort {
  /** @throws when the port is taken or may not be used. */
  open(): Promise<void>;
  /** Call it for each worker before it runs. */
  add(worker: Worker): void;
  /**
   * From now on the departure of the last worker ends the sharing: the port is closed before the worker is released.
   */
  stop(): void;
}

/**
 * Takes the connections of a port and hands them to the workers that have joined, in turn. Node's own way of sharing a
 * port cannot do a stop: a connection on its way to a worker that closes is cut when that was the last one. Here a
 * worker leaves in order: it gets nothing more, and a message says so after everything that it got; the last one gets
 * it only once nothing comes in.
 */
export function createSharedPort(host: string, port: number): SharedPort {
  const joined: Worker[] = [];
  /** While nobody serves. */
  const waiting: Socket[] = [];
  let stopping = false;

  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
    // Nobody reads here: whoever serves it sees that it broke.
    socket.on('error', () => undefined);
    waiting.push(socket);
    handOut();
  });

  function handOut(): void {
    for (let socket = waiting[0]; socket !== undefined; socket = waiting[0]) {
      const worker = joined.shift();
      if (worker === undefined) return;
      if (!worker.isConnected()) continue;
      joined.push(worker);
      waiting.shift();
      send(worker, socket);
    }
  }

  function send(worker: Worker, socket: Socket): void {
    worker.send(messages.connection, socket, {}, (error) => {
      if (error !== null) socket.destroy();
    });
  }

  function remove(worker: Worker): void {
    const at = joined.indexOf(worker);
    if (at >= 0) joined.splice(at, 1);
  }

  async function letGo(worker: Worker): Promise<void> {
    if (stopping && joined.every((one) => one === worker)) {
      await eventLoopTurn();
      server.close();
      handOut();
    }
    remove(worker);
    if (worker.isConnected()) worker.send(messages.last);
  }

  return {
    async open() {
      server.listen(port, host);
      await once(server, 'listening');
    },
    add(worker) {
      worker.on('message', (message) => {
        if (message === messages.join) {
          joined.push(worker);
          handOut();
        } else if (message === messages.leave) void letGo(worker);
      });
      worker.once('disconnect', () => remove(worker));
    },
    stop() {
      stopping = true;
      if (joined.length === 0) server.close();
    },
  };
}

/** A worker's side: its server gets connections from the first process in the place of a port of its own. */
export interface PortMembership {
  join(): void;
  /** As `closeServer`: resolves when every connection that was handed over has ended. */
  close(graceMs: number): Promise<void>;
}

/** Makes the server serve connections that the first process hands to this worker; it has no port of its own. */
export function createPortMembership(server: Server): PortMembership {
  const open = new Set<Socket>();
  const { promise: last, resolve: resolveLast } = Promise.withResolvers<void>();

  function take(socket: Socket): void {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // As a server does for those that it takes itself.
    socket.allowHalfOpen = true;
    socket.setNoDelay(true);
    server.emit('connection', socket);
  }

  return {
    join() {
      process.on('message', (message, handle) => {
        // Without a handle: it broke on the way.
        if (message === messages.connection && handle !== undefined) take(handle as Socket);
        else if (message === messages.last) resolveLast();
      });
      process.once('disconnect', () => resolveLast());
      // A server that does not listen would not look for connections that are late.
      server.emit('listening');
      process.send?.(messages.join);
    },
    async close(graceMs) {
      if (process.connected) process.send?.(messages.leave);
      else resolveLast();
      await last;
      server.close();
      await closeConnections(
        server,
        Promise.all([...open].map((socket) => new Promise((resolve) => socket.once('close', resolve)))),
        graceMs,
      );
    },
  };
}
