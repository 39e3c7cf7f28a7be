import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { mountRoutes } from '@millrace/http/mount.ts';
import type { ServedObjects } from '@millrace/object-storage/create-storage.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { createObjectRoutes } from '../object-routes.ts';

/** A server of the addresses of a storage, and of nothing else. */
export async function serveObjects(parts: ServedObjects & { clock: Clock }) {
  const app = express();
  const nobody = () => Promise.reject(new Error('no key is asked for'));
  mountRoutes(app, [], {
    context: {},
    authorize: nobody,
    authenticate: nobody,
    others: createObjectRoutes(parts),
    bodyBytesMax: 1,
    log: createLogger('test', 'silent'),
    unsent: { hold: () => ({ sent: () => undefined }) },
    onFinish: () => undefined,
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    storage: parts.storage,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
      parts.storage.close();
    },
  };
}
