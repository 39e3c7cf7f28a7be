import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * `open`: bytes pass. `closed`: connections are cut and none is taken. `silent`: connections stay, new ones are taken,
 * and nothing passes until it is open again, as when packets are dropped. `answerless`: requests arrive, and each
 * response is cut off together with its connection.
 */
type LineState = 'open' | 'closed' | 'silent' | 'answerless';

/** A way to an engine over TCP of this machine, which can be hurt. */
export interface TcpProxy {
  readonly port: number;
  /** Port where it leads; settable, because a broker that is to be reached through it must know its port first. */
  target: number;
  state: LineState;
  /** Delay of the bytes that the engine sends. */
  delayMs: number;
  /** Gets the bytes that clients send, before they are forwarded. */
  onRequest: ((bytes: Buffer) => void) | null;
  /** Cuts the connections that there are. */
  cut(): void;
  close(): Promise<void>;
}

/** Listens on a free port. It leads nowhere until `target` is set. */
export async function startTcpProxy(target = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: LineState = 'open';
  /** Whoever reads slowly is sent slowly: what is unread waits with its sender, not here. */
  const forward = (bytes: Buffer, from: Socket, to: Socket): void => {
    if (to.write(bytes)) return;
    from.pause();
    to.once('drain', () => void (state !== 'silent' && from.resume()));
  };
  const server = createServer((client) => {
    if (state === 'closed') return void client.destroy();
    const engine = connect(proxy.target, '127.0.0.1');
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      // The close reports the error of a connection to its other end.
      socket.on('error', () => undefined);
      socket.on('close', () => (sockets.delete(socket), client.destroy(), engine.destroy()));
      if (state === 'silent') socket.pause();
    }
    const sendToClient = delayed((bytes) => forward(bytes, engine, client));
    client.on('data', (bytes) => (proxy.onRequest?.(bytes), forward(bytes, client, engine)));
    engine.on('data', (bytes) => (state === 'answerless' ? client.destroy() : sendToClient(bytes, proxy.delayMs)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    target,
    delayMs: 0,
    onRequest: null,
    get state() {
      return state;
    },
    set state(next) {
      state = next;
      if (next === 'closed') proxy.cut();
      for (const socket of sockets)
        if (next === 'silent') socket.pause();
        else socket.resume();
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      proxy.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

/** Starts a proxy in front of an engine of this machine; `url` is the address of the engine by way of the proxy. */
export async function startProxyTo(address: string): Promise<{ proxy: TcpProxy; url: string }> {
  const { href, origin, port } = new URL(address);
  const proxy = await startTcpProxy(Number(port));
  const through = new URL(href);
  through.host = `127.0.0.1:${proxy.port}`;
  return { proxy, url: origin === address ? through.origin : through.href };
}

/** Hands bytes on later, and in order when the delay becomes shorter meanwhile. */
function delayed(write: (bytes: Buffer) => void): (bytes: Buffer, delayMs: number) => void {
  const waiting: { bytes: Buffer; dueMs: number }[] = [];
  const writeDue = (): void => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const restMs = first.dueMs - performance.now();
      if (restMs > 0) return void setTimeout(writeDue, restMs);
      waiting.shift();
      write(first.bytes);
    }
  };
  return (bytes, delayMs) => {
    // Also after one that is due and whose timer is late.
    waiting.push({ bytes, dueMs: performance.now() + delayMs });
    if (waiting.length === 1) writeDue();
  };
}
