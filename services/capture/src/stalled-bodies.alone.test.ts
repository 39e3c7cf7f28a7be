// Strangers whose bodies never end must not take the memory in which everybody else's are read.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startCapture, token, type CaptureUnderTest } from './test/capture-under-test.ts';

/** All of it a tenth of what is usual: a body may be a thirteenth of the budget, as with 20 and 256 MiB. */
const bodyBytesMax = 2_000_000;
const bytesInFlightMax = 26_000_000;

let capture: CaptureUnderTest;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await capture.close();
});

interface Stalled {
  socket: Socket;
  response: () => string;
  sinceMs: number;
}

/** A body that comes but for its last byte. */
function stall(bytes: number, path = '/batch/'): Stalled {
  const socket = open();
  let reply = '';
  socket.on('data', (data: Buffer) => (reply += data.toString()));
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes - 1, 0x20));
  return { socket, response: () => reply, sinceMs: performance.now() };
}

function open(): Socket {
  const socket = connect(Number(new URL(capture.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${capture.operationsUrl}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(name)) ?? '';
  return Number(line.slice(line.lastIndexOf(' ') + 1));
};

const good = (id: string, more: object = {}) => ({ api_key: token, event: 'e', distinct_id: id, ...more });
const large = good('large', { properties: { text: 'x'.repeat(800_000) } });

/** An event whose body takes 3 s, in pieces of a slow link. */
async function sendSlowly(): Promise<string> {
  const body = JSON.stringify(good('mobile', { properties: { text: 'y'.repeat(20_000) } }));
  const socket = open();
  let result = '';
  socket.on('data', (data: Buffer) => (result += data.toString()));
  socket.write(`POST /batch/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`);
  let at = 0;
  const timer = setInterval(() => {
    socket.write(body.slice(at, at + 1_700));
    at += 1_700;
    if (at >= body.length) clearInterval(timer);
  }, 250);
  await once(socket, 'close');
  clearInterval(timer);
  return result;
}

describe.each([
  { connections: 13, bytes: bodyBytesMax },
  { connections: 500, bytes: 60_000 },
])('$connections stalled connections of $bytes bytes, without a token', ({ connections, bytes }) => {
  test('others are always served, large bodies and slow links too, though those that are ended come again', async () => {
    capture = await startCapture({ bodyBytesMax, bytesInFlightMax, senderBytesMax: 3_000_000 });
    const stalled: Stalled[] = Array.from({ length: connections }, () => stall(bytes));
    await eventually(async () =>
      expect(await metric('millrace_capture_bytes_arriving')).toBeGreaterThan(bytesInFlightMax * 0.9),
    );
    const slow = sendSlowly();
    const statuses: number[] = [];
    let isSlowDone = false;
    void slow.then(() => (isSlowDone = true));
    for (let turn = 0; turn < 40 || !isSlowDone; turn++) {
      statuses.push(
        (await capture.post('/batch/', good('small'))).status,
        (await capture.post('/batch/', large)).status,
      );
      for (const [index, { response, sinceMs }] of stalled.entries()) {
        if (response() !== '' && performance.now() - sinceMs > 1_000) stalled[index] = stall(bytes);
      }
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(await slow).toMatch(/^HTTP\/1\.1 200 /);
    expect(
      (await metric('millrace_capture_bodies_ended_total{reason="share"')) +
        (await metric('millrace_capture_bodies_ended_total{reason="memory"')),
    ).toBeGreaterThan(0);
  }, 60_000);
});

describe('a body that is ended', () => {
  test('gets the reason: 503 when memory was short, on a connection that is closed', async () => {
    capture = await startCapture({ bodyBytesMax, bytesInFlightMax });
    const all = Array.from({ length: 14 }, () => stall(bodyBytesMax));
    const replied = await eventually(() => {
      const found = all.filter(({ response }) => response() !== '');
      expect(found.length).toBeGreaterThan(0);
      return found;
    });
    for (const { socket, response } of replied) {
      if (!socket.closed) await once(socket, 'close');
      expect(response()).toMatch(/^HTTP\/1\.1 503 [^]*connection: close\r\n[^]*"code":"overloaded"[^]*arrived slowest/);
      expect(response()).toContain('retry-after: 1');
    }
  });

  test('408 when it came too slowly, though it was never idle; a slow link that makes progress is served', async () => {
    capture = await startCapture({ bodyRateMs: 1_000, bodyBytesPerSecondMin: 500 });
    const mobile = sendSlowly();
    const trickling = open();
    let said = '';
    trickling.on('data', (data: Buffer) => (said += data.toString()));
    trickling.write('POST /batch/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
    const timer = setInterval(() => trickling.write(' '), 50);
    await once(trickling, 'close');
    clearInterval(timer);
    expect(said).toMatch(/^HTTP\/1\.1 408 [^]*"code":"body_read_timeout"[^]*too slowly/);
    expect(await mobile).toMatch(/^HTTP\/1\.1 200 /);
    expect(await metric('millrace_capture_bodies_ended_total{reason="slow"')).toBeGreaterThan(0);
    expect(await metric('millrace_capture_bodies_arriving')).toBe(0);
  });
});
