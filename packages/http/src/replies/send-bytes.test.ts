import { createServer, get, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { bytes } from './reply.ts';
import { sendBytes } from './send-bytes.ts';
import { createUnsentReplies } from './unsent-replies.ts';

const chunks = [5, 3_000_000, 0, 700_000].map((size, at) => Buffer.alloc(size, at + 1));
const small = [Buffer.from('a'), Buffer.from('bc')];
let server: Server;
let sent: Promise<unknown>;
let turns = 0;
const unsent = createUnsentReplies({ bytesMax: 1_000_000_000, onCut: () => undefined });
beforeAll(async () => {
  const app = express();
  app.get('/:which', async (request, response) => {
    let counting = true;
    const turn = (): void => void (counting && turns++ < 1_000_000 && setImmediate(turn));
    turn();
    sent = sendBytes(response, bytes('text/plain', request.params.which === 'large' ? chunks : small), unsent).then(
      () => 'whole',
      String,
    );
    await sent;
    counting = false;
  });
  server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

const url = (which: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${which}`;

describe('bytes that are all there', () => {
  test.each([
    ['large', chunks],
    ['small', small],
  ])('arrive whole, with their length: %s', async (which, expected) => {
    const response = await fetch(url(which));
    const body = Buffer.from(await response.arrayBuffer());
    expect([response.headers.get('content-length'), body.equals(Buffer.concat(expected))]).toEqual([
      String(body.length),
      true,
    ]);
  });

  test('and are many leave the event loop to others between their pieces', async () => {
    turns = 0;
    await (await fetch(url('large'))).arrayBuffer();
    expect(turns).toBeGreaterThanOrEqual(28);
  });

  test('are not sent on to a client that has gone away', async () => {
    const requested = get(url('large'));
    const [response] = (await once(requested, 'response')) as [NodeJS.ReadableStream & { destroy(): void }];
    await once(response, 'readable');
    response.destroy();
    expect(await sent).toContain('the client went away');
  });

  test('are not sent for HEAD, which gets their length', async () => {
    const queried = get(url('large'), { method: 'HEAD' });
    const [response] = (await once(queried, 'response')) as [
      NodeJS.ReadableStream & { headers: Record<string, string> },
    ];
    expect([(await buffer(response)).length, response.headers['content-length']]).toEqual([0, '3700005']);
  });
});
