import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { createS3Storage } from './s3-storage.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A storage whose server says this to each request, and then nothing. */
async function storageOf(start: 'nothing' | 'a head'): Promise<ReturnType<typeof createS3Storage>> {
  server = createServer((_request, response) => {
    if (start === 'a head') response.writeHead(200, { 'content-length': 10 }).write('abc');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { accessKey: 'a', secretKey: 's' };
  const config = { bucket: 'b', endpoint, publicEndpoint: '', region: 'r', pathStyle: true, ...keys };
  return createS3Storage(config, createLogger('test', 'silent'), { idleMs: 100 });
}

test('a server that takes a request and says nothing is a failure, not a wait without end', async () => {
  const storage = await storageOf('nothing');
  await expect(storage.get('symbolsets/a')).rejects.toThrow(/imed? ?out/i);
});

test('so is one that stops within an object', async () => {
  const storage = await storageOf('a head');
  const stream = await storage.get('symbolsets/a');
  await expect(buffer(stream as never)).rejects.toThrow();
});
