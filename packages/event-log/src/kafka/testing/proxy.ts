import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy in front of a broker, which breaks connections on demand. */
export interface Proxy {
  readonly port: number;
  /** Where it leads; settable, because a broker that is to be reached through it must know its port first. */
  target: number;
  /** The broker gets the next append, its reply is lost, the connection breaks. Resolves when that has happened. */
  loseReply(): Promise<void>;
  /** The next append is lost on its way, the connection breaks. Resolves when that has happened. */
  loseRequest(): Promise<void>;
  /** Delay of everything that the broker sends. */
  replyDelayMs: number;
  close(): Promise<void>;
}

const produceKey = 0;
/** Longer than the broker takes for an append. */
const replyMs = 300;

export async function startProxy(): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let onAppend: ((cut: () => void) => 'forward' | 'drop') | null = null;
  const server = createServer((client) => {
    const broker = connect(proxy.target, '127.0.0.1');
    let muted = false;
    const cut = (): void => {
      client.destroy();
      broker.destroy();
    };
    for (const socket of [client, broker]) {
      sockets.add(socket);
      // A broken connection is what this is for.
      socket.on('error', cut).on('close', () => (sockets.delete(socket), cut()));
    }
    const isAppend = createRequestWatch();
    client.on('data', (chunk) => {
      if (isAppend(chunk) && onAppend !== null) {
        const treat = onAppend;
        onAppend = null;
        muted = true;
        if (treat(cut) === 'drop') return;
      }
      broker.write(chunk);
    });
    broker.on('data', (chunk) => {
      if (muted) return;
      if (proxy.replyDelayMs === 0) client.write(chunk);
      else setTimeout(() => client.write(chunk), proxy.replyDelayMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const nextAppend = (what: 'forward' | 'drop'): Promise<void> =>
    new Promise((resolve) => {
      onAppend = (cut) => {
        setTimeout(() => (cut(), resolve()), what === 'forward' ? replyMs : 0);
        return what;
      };
    });
  const proxy: Proxy = {
    port: (server.address() as AddressInfo).port,
    target: 0,
    replyDelayMs: 0,
    loseReply: () => nextAppend('forward'),
    loseRequest: () => nextAppend('drop'),
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return proxy;
}

/** Says of each chunk of a connection whether an append's request begins in it (size, then the number of the request). */
function createRequestWatch(): (chunk: Buffer) => boolean {
  let left = 0;
  return (chunk) => {
    let found = false;
    let at = left;
    while (at < chunk.length) {
      // kafkajs writes a request at once: its first six bytes are never apart.
      if (chunk.readInt16BE(at + 4) === produceKey) found = true;
      at += 4 + chunk.readInt32BE(at);
    }
    left = at - chunk.length;
    return found;
  };
}
