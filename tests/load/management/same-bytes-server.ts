// The counterpart of a cached run in measurements: reads the request to its end and replies with the given bytes. A
// process of its own; reports its port to its parent.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { carryOutOrders } from '../generator/carry-out-orders.ts';

carryOutOrders(async ({ reply }: { reply: Uint8Array }): Promise<{ port: number }> => {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length });
      response.end(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
});
