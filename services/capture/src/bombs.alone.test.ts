import { randomBytes } from 'node:crypto';
import { BlockList } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { leastOf } from '@millrace/runtime/testing/least-of.ts';
import { startCapture, token, type CaptureUnderTest } from './test/capture-under-test.ts';
import { expectServing } from './test/good-event.ts';

type Bomb = readonly [name: string, make: () => Buffer, headers: Readonly<Record<string, string>>, path: string];

const quickly = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
let held: Buffer | undefined;
/** Kept: what is freed while bombs are read would hide what they take. */
const zeros = (): Buffer => (held ??= Buffer.alloc(200_000_000, 0x20));

function liar(): Buffer {
  const bytes = gzipSync(zeros());
  bytes.writeUInt32LE(99, bytes.length - 4);
  return bytes;
}

const bombs: readonly Bomb[] = [
  ['gzip', () => gzipSync(zeros()), {}, '/batch/'],
  ['gzip that lies about its size', liar, {}, '/batch/'],
  ['brotli', () => quickly(zeros()), { 'content-encoding': 'br' }, '/e/'],
  ['zstd', () => zstdCompressSync(zeros()), { 'content-encoding': 'zstd' }, '/e/'],
  ['deflate', () => deflateSync(zeros()), { 'content-encoding': 'deflate' }, '/e/'],
  ['gzip in base64', () => Buffer.from(gzipSync(zeros()).toString('base64')), {}, '/e/'],
  [
    'V1',
    () => quickly(zeros()),
    { 'content-encoding': 'br', 'content-type': 'application/json', authorization: `Bearer ${token}` },
    '/i/v1/analytics/events',
  ],
  ['flags', () => gzipSync(zeros()), {}, '/flags/?v=2'],
];

const size = 67_000_000;
const of = (unit: string): Buffer => Buffer.alloc(size, unit);
const small = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
const justBelow: readonly Bomb[] = [
  ['blanks in brotli', () => small(of(' ')), { 'content-encoding': 'br' }, '/e/'],
  ['brackets in brotli', () => small(of('[')), { 'content-encoding': 'br' }, '/e/'],
  ['base64 in brotli', () => small(of('+A')), { 'content-encoding': 'br' }, '/e/'],
  ['brackets in zstd', () => zstdCompressSync(of('[')), { 'content-encoding': 'zstd' }, '/e/'],
  ['blanks in gzip', () => gzipSync(of(' ')), {}, '/e/'],
  ['base64 in gzip', () => gzipSync(of('+A')), {}, '/e/'],
];
/** Proxies are on this machine: requests may say who sent them. */
function loopback(): BlockList {
  const list = new BlockList();
  list.addSubnet('127.0.0.0', 8);
  return list;
}

// Bodies that expand to a multiple of their size.
let capture: CaptureUnderTest;
beforeAll(async () => {
  capture = await startCapture({ inflatedBytesMax: 16_000_000, bodyIdleMsMax: 400, bodyTotalMsMax: 1500 });
});
afterAll(() => capture.close());

test.each(bombs)(
  '20 at once of %s: all 413, or 503 for want of a place, in bounded memory, others served meanwhile',
  async (_name, make, headers, path) => {
    const bomb = make();
    const before = process.memoryUsage().rss;
    const responses = Promise.all(Array.from({ length: 20 }, () => capture.post(path, bomb, headers)));
    await expectServing(capture);
    const statuses = (await responses).map(({ status }) => status);
    expect(statuses).toContain(413);
    expect(statuses.filter((status) => status !== 413 && status !== 503)).toEqual([]);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  },
);

describe('just below the limit', () => {
  const pauseMsMax = 250;
  const packed = gzipSync(
    JSON.stringify({
      api_key: token,
      batch: Array.from({ length: 200 }, () => ({
        event: 'e',
        distinct_id: 'd',
        properties: { a: randomBytes(400).toString('hex') },
      })),
    }),
  );
  const proxied = (sender: string) => ({ 'x-forwarded-for': sender });
  let usual: CaptureUnderTest;
  beforeAll(async () => {
    usual = await startCapture({ trustedProxies: loopback() });
  });
  afterAll(() => usual.close());

  /** Posts the bomb each quarter of a second beside ordinary bodies of another sender, and answers with what became of both. */
  async function beside(bomb: Buffer, headers: Readonly<Record<string, string>>, atATime: number) {
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    const bombs: Promise<Response>[] = [];
    const attack = setInterval(() => {
      for (let one = 0; one < atATime; one++)
        bombs.push(usual.post('/e/', bomb, { ...headers, ...proxied('203.0.113.7') }));
    }, 250);
    const ordinary: number[] = [];
    const until = performance.now() + 2_000;
    while (performance.now() < until)
      ordinary.push((await usual.post('/batch/', packed, proxied('198.51.100.1'))).status);
    clearInterval(attack);
    const refused = (await Promise.all(bombs)).map(({ status }) => status);
    delays.disable();
    return { ordinary, refused: new Set(refused), longestBlockMs: delays.max / 1e6 };
  }

  test.each(justBelow)(
    '%s: 413, hardly a pause, and ordinary bodies beside it are all taken',
    async (_name, make, headers) => {
      const bomb = make();
      // 20 ms where nothing else runs; beside other suites the process itself may wait as long for a core.
      const blockMs = await leastOf(5, pauseMsMax, async () => {
        const { ordinary, refused, longestBlockMs } = await beside(bomb, headers, 1);
        expect([...new Set(ordinary), ...refused]).toEqual([200, 413]);
        return longestBlockMs;
      });
      expect(blockMs).toBeLessThan(pauseMsMax);
    },
  );

  // `inflate-limiter.test.ts` tests that senders take turns.
  test('a sender of more large bodies than can be read keeps nobody else waiting', async () => {
    const bomb = gzipSync(Buffer.alloc(size, '['));
    // Beside other suites one bomb may hold its slot for longer than anybody waits.
    const shareNotTaken = await leastOf(4, 0.5, async () => {
      const { ordinary, refused } = await beside(bomb, {}, 10);
      expect([...refused].filter((status) => status !== 400 && status !== 503)).toEqual([]);
      return ordinary.filter((status) => status !== 200).length / ordinary.length;
    });
    expect(shareNotTaken).toBeLessThan(0.5);
  });
});
