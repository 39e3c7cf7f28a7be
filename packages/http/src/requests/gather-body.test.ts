// Strangers whose bodies never end must not take the memory of those who have a key.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { afterEach, describe, expect, test } from '@jest/globals';
import { usualLimits, type ArrivingLimits } from '@millrace/runtime/bodies/arrival.ts';
import { createArrivingBodies, type ArrivingBodies } from '@millrace/runtime/bodies/arriving-bodies.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { errorEdge } from '../errors/error-edge.ts';
import { gatherBody } from './gather-body.ts';
import { createBodyOf } from './request-body.ts';

const bytesMax = 100_000;
let server: Server;
let bodies: ArrivingBodies;
const sockets: Socket[] = [];

async function serve(limits: Partial<ArrivingLimits> = {}): Promise<string> {
  bodies = createArrivingBodies({ ...usualLimits(1_000_000), ...limits }, { bytesInFlight: 0 });
  const bodyOf = createBodyOf({ bytesMax, largeBytesMax: bytesMax }, bodies);
  const app = express();
  app.use(async (request, response) => {
    response.json((await bodyOf(request, response, {}).parsed()).kind);
  });
  app.use(errorEdge({ error: () => undefined }, () => undefined));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function stall(bytes: number): () => string {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  let reply = '';
  socket.on('error', () => undefined);
  socket.on('data', (data: Buffer) => (reply += data.toString()));
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n${' '.repeat(bytes - 1)}`);
  return () => reply;
}

const post = (url: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

describe('bodies of an API', () => {
  test.each([20, 200])('%i that stall make room for a good one, which is never refused', async (count) => {
    const url = await serve();
    const responses = Array.from({ length: count }, () => stall(Math.floor(1_990_000 / count)));
    const statuses: number[] = [];
    for (let turn = 0; turn < 40; turn++)
      statuses.push((await post(url, JSON.stringify({ a: 'x'.repeat(90_000) }))).status);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    await eventually(() =>
      expect(responses.filter((result) => /^HTTP\/1\.1 503 [^]*arrived slowest/.test(result())).length).toBeGreaterThan(
        count / 3,
      ),
    );
  });

  test('one that stalls gets 408, and its connection ends', async () => {
    await serve({ idleMsMax: 200 });
    const bodyOrError = stall(1_000);
    await eventually(() =>
      expect(bodyOrError()).toMatch(/^HTTP\/1\.1 408 [^]*connection: close[^]*did not arrive in time/i),
    );
    expect(bodies.counts()).toEqual({ bodies: 0, bytes: 0 });
  });

  test('packed and in pieces of unknown length they are read; a bomb, one too long and one of no known packing are refused', async () => {
    const url = await serve();
    const status = async (...given: Parameters<typeof post>): Promise<number> => (await post(...given)).status;
    const gzip = { 'content-encoding': 'gzip' };
    expect(await status(url, gzipSync('{}'), gzip)).toBe(200);
    expect(await status(url, gzipSync(' '.repeat(50_000_000)), gzip)).toBe(413);
    expect(await status(url, '{}', gzip)).toBe(400);
    expect(await status(url, '{}', { 'content-encoding': 'zstd' })).toBe(415);
    expect(await status(url, ' '.repeat(bytesMax + 1))).toBe(413);
    const chunked = new ReadableStream({
      start: (to) => (to.enqueue(Buffer.from('{"a"')), to.enqueue(Buffer.from(':1}')), to.close()),
    });
    expect((await fetch(url, { method: 'POST', body: chunked, duplex: 'half' })).status).toBe(200);
    expect(bodies.counts()).toEqual({ bodies: 0, bytes: 0 });
  });

  test('a large one takes a few pieces in a turn of the event loop, however many have come', async () => {
    bodies = createArrivingBodies(usualLimits(100_000_000), { bytesInFlight: 0 });
    const sent = Array.from({ length: 100 }, (_, index) => Buffer.alloc(65_536, index));
    const request = Object.assign(Readable.from(sent, { objectMode: false }), { headers: {} });
    const perTurn: number[] = [];
    let pieces = 0;
    request.on('data', () => {
      if (pieces++ === 0)
        setImmediate(() => {
          perTurn.push(pieces);
          pieces = 0;
        });
    });
    const body = await gatherBody(request as unknown as IncomingMessage, 10_000_000, bodies);
    expect(Buffer.concat(sent).equals(body)).toBe(true);
    expect(Math.max(...perTurn)).toBeLessThan(10);
    expect(bodies.counts()).toEqual({ bodies: 0, bytes: 0 });
  });

  test('large ones that come at once end one after the other', async () => {
    bodies = createArrivingBodies(usualLimits(100_000_000), { bytesInFlight: 0 });
    let heldMax = 0;
    const gather = async (): Promise<void> => {
      const pieces = Array.from({ length: 64 }, () => Buffer.alloc(65_536));
      const request = Object.assign(Readable.from(pieces, { objectMode: false }), { headers: {} });
      request.on('data', () => (heldMax = Math.max(heldMax, bodies.counts().bytes)));
      await gatherBody(request as unknown as IncomingMessage, 10_000_000, bodies);
    };
    await Promise.all(Array.from({ length: 16 }, gather));
    // All of them have 64 MiB.
    expect(heldMax).toBeLessThan(33_554_432);
  });
});
