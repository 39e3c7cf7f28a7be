import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startCapture, token, type CaptureUnderTest } from './test/capture-under-test.ts';

// 20 s that headers may take, and 5 s until they are checked.
const withinMs = 28_000;

let capture: CaptureUnderTest;
beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

interface Trickle {
  socket: Socket;
  response: () => string;
}

/** Sends its headers a byte a second, for ever; `before` goes ahead of them at once. */
function trickle(before = ''): Trickle {
  const socket = connect(Number(new URL(capture.url).port), '127.0.0.1');
  const text = `POST /batch/ HTTP/1.1\r\nHost: x\r\nX-Slow: ${'a'.repeat(1_000)}`;
  let reply = '';
  let sent = 0;
  socket.on('error', () => undefined);
  socket.on('data', (data: Buffer) => (reply += data.toString()));
  socket.write(before + (text[sent++] ?? ''));
  const timer = setInterval(() => socket.write(text[sent++] ?? 'a'), 1_000);
  socket.on('close', () => clearInterval(timer));
  return { socket, response: () => reply };
}

describe('headers that never end (contract/capture 1.7, 1.12)', () => {
  test('50 connections that send a byte a second are answered with 408 and closed, and others are served meanwhile', async () => {
    const startedMs = performance.now();
    const body = `{"api_key":"${token}","event":"e","distinct_id":"d"}`;
    const first = `POST /batch/ HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    // Half of them on a connection that has been good for a request before.
    const all = Array.from({ length: 50 }, (_, index) => trickle(index % 2 === 0 ? '' : first));
    const closed = Promise.all(all.map(({ socket }) => once(socket, 'close')));
    let worstMs = 0;
    while (performance.now() - startedMs < 3_000) {
      const requestedMs = performance.now();
      expect((await capture.post('/batch/', { api_key: token, event: 'e', distinct_id: 'other' })).status).toBe(200);
      worstMs = Math.max(worstMs, performance.now() - requestedMs);
    }
    expect(worstMs).toBeLessThan(1_000);
    await closed;
    expect(performance.now() - startedMs).toBeLessThan(withinMs);
    for (const [index, { response }] of all.entries()) {
      expect(response()).toMatch(index % 2 === 0 ? /^HTTP\/1\.1 408 / : /^HTTP\/1\.1 200 [^]*HTTP\/1\.1 408 /);
      expect(response()).toContain('"code":"body_read_timeout"');
    }
  }, 40_000);
});
