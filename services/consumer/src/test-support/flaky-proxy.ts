import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to an engine that can be cut. */
export interface FlakyProxy {
  /** The engine's address by way of the proxy. */
  url: string;
  /** Cuts all connections and lets none in. */
  down(): void;
  up(): void;
  /** From now on the engine hears everything, and each reply is cut off instead of delivered. */
  loseReplies(): void;
  close(): Promise<void>;
}

/** Stands in front of the engine at `target`. */
export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let state: 'up' | 'down' | 'mute' = 'up';

  const server = createServer((client) => {
    if (state === 'down') return void client.destroy();
    const engine = connect(Number(port), hostname);
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        engine.destroy();
      });
    }
    client.pipe(engine);
    engine.on('data', (data) => void (state === 'mute' ? client.destroy() : client.write(data)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    down() {
      state = 'down';
      cut();
    },
    up: () => void (state = 'up'),
    loseReplies: () => void (state = 'mute'),
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
