import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import express from 'express';
import { Unknown } from 'typebox';
import { routeDefiner } from '../define-route.ts';
import { mountRoutes } from '../mount.ts';
import { bytes } from './reply.ts';
import { sendBytes } from './send-bytes.ts';
import { createUnsentReplies } from './unsent-replies.ts';

// The promise to everybody else: clients that read nothing cannot fill the memory with their replies.
const megabyte = 1_000_000;
const shared = Buffer.alloc(20 * megabyte);
/** More than a third and what the kernel takes of a reply that was read so fast until then. */
const largeBytes = 120 * megabyte;
const define = routeDefiner<null, object>();
let cut = 0;
let server: Server;
beforeAll(async () => {
  const unsent = createUnsentReplies({ bytesMax: 165 * megabyte, onCut: () => void (cut += 1), graceMs: 1_000 });
  const app = express();
  app.get('/:which', async (request, response) => {
    const { which } = request.params;
    const chunk = which === 'shared' ? shared : Buffer.alloc(which === 'large' ? largeBytes : 20 * megabyte);
    await sendBytes(response, bytes('text/plain', [chunk]), unsent).catch(() => undefined);
  });
  const route = {
    operationId: 'get_large',
    method: 'get',
    access: 'public',
    tag: 'Test',
    summary: 'Say much',
    responses: { 200: Unknown() },
  } as const;
  const large = [define({ ...route, path: '/of/json', handler: () => ({ text: 'x'.repeat(20 * megabyte) }) })];
  const nobody = (): Promise<null> => Promise.resolve(null);
  mountRoutes(app, large, {
    context: {},
    authenticate: nobody,
    authorize: nobody,
    bodyBytesMax: 1,
    log: { error: () => undefined },
    unsent,
    onFinish: () => undefined,
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const opened: IncomingMessage[] = [];
afterEach(() => opened.splice(0).forEach((response) => response.destroy()));

/** Opens a reply that is not read yet. */
async function open(which: string): Promise<IncomingMessage> {
  const requested = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${which}`, { agent: false });
  const [response] = (await once(requested, 'response')) as [IncomingMessage];
  opened.push(response);
  return response.on('error', () => undefined);
}

test('beyond what may wait the slowest are cut, and those that read arrive', async () => {
  const reading = await open('large');
  let read = 0;
  for await (const chunk of reading.iterator({ destroyOnReturn: false })) {
    read += (chunk as Buffer).length;
    if (read > largeBytes / 3) break;
  }
  await Promise.all(['own', 'own'].map(open));
  // The two are judged before there are too many. The kernel takes as much of the younger ones in less time: they are faster.
  const began = performance.now();
  await eventually(() => expect(performance.now() - began).toBeGreaterThan(1_500));
  expect(cut).toBe(0);
  await Promise.all(['own', 'own'].map(open));
  await eventually(() => expect(cut).toBe(2), { deadlineMs: 10_000 });
  // The replies that are left are within the bound: they stay.
  for await (const chunk of reading) read += (chunk as Buffer).length;
  expect(read).toBe(largeBytes);
  expect(cut).toBe(2);
}, 30_000);

test('JSON that is not read counts too', async () => {
  const before = cut;
  await Promise.all(Array.from({ length: 10 }, () => open('of/json')));
  await eventually(() => expect(cut - before).toBe(2), { deadlineMs: 10_000 });
}, 30_000);

test('a result that many read is counted once', async () => {
  const before = cut;
  await Promise.all(Array.from({ length: 10 }, () => open('shared')));
  const began = performance.now();
  await eventually(() => expect(performance.now() - began).toBeGreaterThan(2_500));
  expect(cut).toBe(before);
}, 30_000);

describe('when it is looked which replies to cut', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Replies that wait since ten seconds, and how many of each kind are cut in the next one. */
  function cutOf(
    kinds: Record<string, { replies: number; chunks: () => Uint8Array[]; sent: number }>,
    bytesMax: number,
  ): { cut: Record<string, number>; cpuUs: number } {
    const unsent = createUnsentReplies({ bytesMax, onCut: () => undefined, graceMs: 10_000 });
    const cut: Record<string, number> = {};
    for (const [kind, { replies, chunks, sent }] of Object.entries(kinds)) {
      for (let reply = 0; reply < replies; reply++) {
        const socket = { resetAndDestroy: () => (cut[kind] = (cut[kind] ?? 0) + 1) };
        unsent.hold({ once: () => undefined, socket } as never, chunks()).sent(sent);
      }
    }
    jest.advanceTimersByTime(9_999);
    const before = process.cpuUsage();
    jest.advanceTimersByTime(1_000);
    return { cut, cpuUs: process.cpuUsage(before).user };
  }

  const own = () => [new Uint8Array(megabyte)];

  test('those whose bytes others keep in memory anyway are left alone, however slow they are', () => {
    const kept = [new Uint8Array(megabyte)];
    const { cut } = cutOf(
      {
        stalled: { replies: 5, chunks: () => kept, sent: 0 },
        reading: { replies: 1, chunks: () => kept, sent: 9_000 },
        own: { replies: 10, chunks: own, sent: 1_000 },
      },
      8 * megabyte,
    );
    expect(cut).toEqual({ own: 3 });
  });

  test('four times as many take about four times as long, not sixteen', () => {
    const cpuUs = (replies: number): number => {
      const kept = Array.from({ length: 10 }, () => new Uint8Array(1_000));
      return Math.min(
        ...[1, 2, 3].map(
          () =>
            cutOf(
              { stalled: { replies, chunks: () => kept, sent: 0 }, own: { replies: 10, chunks: own, sent: 1_000 } },
              8 * megabyte,
            ).cpuUs,
        ),
      );
    };
    const few = Math.max(cpuUs(500), 5_000);
    expect(cpuUs(2_000)).toBeLessThan(few * 9);
  });
});
