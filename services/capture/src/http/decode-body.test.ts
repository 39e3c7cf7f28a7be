import { randomBytes, randomUUID } from 'node:crypto';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import LZString from 'lz-string';
import { lzOfOneLetter } from '../test/lz-of-one-letter.ts';
import { decodeBody } from './decode-body.ts';

const json = '{"event":"größe>?","distinct_id":"d~","properties":{"list":[1,2,3]}}';
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const form = 'application/x-www-form-urlencoded';

interface Facts {
  contentType?: string;
  contentEncoding?: string;
  rawQuery?: string;
}

const decodeNow = (
  body: Buffer,
  { contentType, contentEncoding, rawQuery }: Facts,
  bytesMax: number,
): Buffer | Promise<Buffer> =>
  decodeBody(body, { 'content-type': contentType, 'content-encoding': contentEncoding }, rawQuery ?? null, {
    inflatedBytesMax: bytesMax,
    sender: () => 'anybody',
  });

const decode = async (body: Buffer | string, facts: Facts = {}, bytesMax = 1_000_000): Promise<string> =>
  String(await decodeNow(Buffer.from(body), facts, bytesMax));

const plus = base64(json);
const brotliQuickly = (bytes: Buffer | string): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });

test('the text of these tests has what base64 and forms trip over', () => {
  expect(plus).toMatch(/[+/]/);
});

describe('every form of a body gives the same JSON (contract/capture 1.3)', () => {
  test.each<[string, Buffer | string, Facts]>([
    ['plain', json, {}],
    ['plain behind blanks', `\r\n ${json}`, {}],
    ['gzip by its magic', gzipSync(json), { contentType: 'text/plain' }],
    ['gzip by header', gzipSync(json), { contentEncoding: 'gzip' }],
    ['gzip by query', gzipSync(json), { rawQuery: 'compression=gzip-js' }],
    ['gzip although the hint says base64', gzipSync(json), { rawQuery: 'compression=base64' }],
    ['gzip although the header says br', gzipSync(json), { contentEncoding: 'br' }],
    ['gzip although the content type says form', gzipSync(json), { contentType: form }],
    ['plain although the header says gzip', json, { contentEncoding: 'gzip' }],
    ['plain although the query says gzip', json, { rawQuery: 'compression=gzip' }],
    ['plain although the query says lz64', json, { rawQuery: 'compression=lz64' }],
    ['plain although the query says base64', json, { rawQuery: 'compression=base64' }],
    ['plain although the header says br', json, { contentEncoding: 'br' }],
    ['plain although the header says zstd', json, { contentEncoding: 'zstd' }],
    ['plain although the header says deflate', json, { contentEncoding: 'deflate' }],
    ['plain with an unknown hint', json, { rawQuery: 'compression=rot13', contentEncoding: 'x-nonsense' }],
    ['plain although the content type says form (curl -d)', json, { contentType: form }],
    ['brotli', brotliCompressSync(json), { contentEncoding: 'br' }],
    ['zstd', zstdCompressSync(json), { contentEncoding: 'ZSTD' }],
    ['deflate', deflateSync(json), { contentEncoding: 'deflate' }],
    ['deflate without its wrapping', deflateRawSync(json), { contentEncoding: 'deflate' }],
    ['base64 as a whole, no hint', base64(json), {}],
    ['base64 with a line break behind it', `${base64(json)}\n`, {}],
    ['base64 as a whole, by hint', base64(json), { rawQuery: 'compression=b64' }],
    ['base64 without padding, by hint', base64(json).replace(/=+$/, ''), { rawQuery: 'compression=BASE64' }],
    ['base64 of an address alphabet', Buffer.from(json).toString('base64url').padEnd(base64(json).length, '='), {}],
    ['base64 twice', base64(base64(json)), {}],
    ['base64 of gzip', base64(gzipSync(json)), {}],
    ['base64 in gzip', gzipSync(base64(json)), {}],
    ['a form', `data=${encodeURIComponent(json)}`, { contentType: form }],
    ['a form that does not say so', `data=${encodeURIComponent(json)}&ip=1`, {}],
    ['a form that starts otherwise', `ip=1&_=1700000000&data=${encodeURIComponent(json)}`, {}],
    [
      'a form with an unknown field first, by its content type',
      `verbose=1&data=${encodeURIComponent(json)}`,
      { contentType: `${form}; charset=utf-8` },
    ],
    ['base64 in a form', `data=${encodeURIComponent(base64(json))}`, { contentType: form }],
    ['base64 in a form with bare pluses', `data=${base64(json)}`, { contentType: form }],
    ['base64 in a form, by hint of the form', `data=${encodeURIComponent(base64(json))}&compression=base64`, {}],
    ['base64 in a form, twice', `data=${encodeURIComponent(base64(base64(json)))}`, {}],
    ['gzip as base64 in a form', `data=${encodeURIComponent(base64(gzipSync(json)))}&compression=gzip`, {}],
    ['lz-string by query', LZString.compressToBase64(json), { rawQuery: 'compression=lz64' }],
    ['lz-string by its other name', LZString.compressToBase64(json), { rawQuery: 'a=b&compression=lz-string&c' }],
    ['lz-string in a form', `data=${encodeURIComponent(LZString.compressToBase64(json))}&compression=lz64`, {}],
    ['lz-string in a form with bare pluses', `compression=lz64&data=${LZString.compressToBase64(json)}`, {}],
    ['base64 in lz-string', LZString.compressToBase64(base64(json)), { rawQuery: 'compression=lz64' }],
    ['the query, plain', '', { rawQuery: `data=${encodeURIComponent(json)}` }],
    ['the query, base64', '', { rawQuery: `ip=1&data=${encodeURIComponent(base64(json))}&_=1` }],
    ['the query, base64 with bare pluses', '', { rawQuery: `data=${base64(json)}` }],
    [
      'the query, lz-string',
      '',
      { rawQuery: `compression=lz64&data=${encodeURIComponent(LZString.compressToBase64(json))}` },
    ],
    ['the body wins over the query', json, { rawQuery: 'data=%7B%7D' }],
    [
      'a hint of the form wins over that of the header',
      `data=${encodeURIComponent(LZString.compressToBase64(json))}&compression=lz64`,
      { contentEncoding: 'base64' },
    ],
    [
      'a hint of the header, where there is no other',
      `data=${encodeURIComponent(LZString.compressToBase64(json))}`,
      { contentEncoding: 'lz64' },
    ],
    ['hints in capitals', LZString.compressToBase64(json), { rawQuery: 'compression=LZ64' }],
    [
      'a hint of the form, though the query has one that nobody knows',
      `data=${encodeURIComponent(LZString.compressToBase64(json))}&compression=lz64`,
      { rawQuery: 'compression=rot13' },
    ],
    [
      'a hint of the form, though the query has an empty one',
      `data=${encodeURIComponent(LZString.compressToBase64(json))}&compression=lz64`,
      { rawQuery: 'compression=&ip=1' },
    ],
    [
      'a hint of the header, though the query has one that nobody knows',
      LZString.compressToBase64(json),
      { rawQuery: 'compression=rot13', contentEncoding: 'lz64' },
    ],
    [
      'a hint of the query wins over that of the form',
      `data=${encodeURIComponent(LZString.compressToBase64(json))}&compression=base64`,
      { rawQuery: 'compression=lz64' },
    ],
  ])('%s', async (_name, body, facts) => {
    expect((await decode(body, facts)).trim()).toBe(json);
  });

  test('plain JSON is not even copied', () => {
    const body = Buffer.from(json);
    expect(decodeNow(body, { rawQuery: 'compression=gzip', contentType: form, contentEncoding: 'gzip' }, 10)).toBe(
      body,
    );
  });

  test.each(['null', 'true', '1234'])('%s is JSON, though it looks like base64', async (text) => {
    expect(await decode(text)).toBe(text);
  });

  test('several gzip members are one body', async () => {
    expect(await decode(Buffer.concat([gzipSync(json.slice(0, 20)), gzipSync(json.slice(20))]))).toBe(json);
  });

  test('what is no escape in a form stays as it is', async () => {
    expect(await decode('data={"a":"100%","b":"%zz%4"}', { contentType: form })).toBe('{"a":"100%","b":"%zz%4"}');
  });
});

describe('large bodies', () => {
  const large = JSON.stringify(Array.from({ length: 200_000 }, (_, index) => index));
  test.each([
    ['gzip', gzipSync(large), undefined],
    ['brotli', brotliQuickly(large), 'br'],
    ['zstd', zstdCompressSync(large), 'zstd'],
    ['deflate', deflateSync(large), 'deflate'],
  ])('%s is decompressed off the event loop, all of it', async (_name, body, contentEncoding) => {
    const decoded = decodeNow(body, contentEncoding === undefined ? {} : { contentEncoding }, 10_000_000);
    expect(decoded).toBeInstanceOf(Promise);
    expect(String(await decoded)).toBe(large);
  });

  test('what looks like a bomb but fits into the budget is taken', async () => {
    const repetitive = `[${'1,'.repeat(6_000_000)}1]`;
    expect(gzipSync(repetitive).length).toBeLessThan(repetitive.length / 100);
    expect((await decode(gzipSync(repetitive), {}, 40_000_000)).length).toBe(repetitive.length);
  });

  test.each<[string, (bytes: Buffer) => Buffer, string]>([
    ['brotli', brotliQuickly, 'br'],
    ['zstd', zstdCompressSync, 'zstd'],
  ])('300 events of %s that share a text of 100 KB are taken', async (_name, compress, contentEncoding) => {
    const shared = randomBytes(75_000).toString('base64');
    const batch = JSON.stringify(
      Array.from({ length: 300 }, () => ({ event: 'e', uuid: randomUUID(), properties: { $ai_input: shared } })),
    );
    const body = compress(Buffer.from(batch));
    expect(batch.length / body.length).toBeGreaterThan(150);
    expect((await decode(body, { contentEncoding }, 40_000_000)).length).toBe(batch.length);
  });

  test('base64 of 4 MB in gzip is taken', async () => {
    const events = JSON.stringify(
      Array.from({ length: 30_000 }, () => ({ distinct_id: randomUUID(), event: 'e', n: Math.random() })),
    );
    const packed = base64(events);
    expect(packed.length).toBeGreaterThan(3_500_000);
    expect(await decode(gzipSync(packed), {}, 40_000_000)).toBe(events);
  });
});

describe('what cannot be decoded is refused (contract/capture 1.7)', () => {
  const text = Buffer.from(json);
  test.each<[string, Buffer, Facts]>([
    ['gzip cut short', gzipSync(text).subarray(0, -9), {}],
    ['gzip magic alone', Buffer.from([0x1f, 0x8b, 8]), {}],
    ['rubbish behind the gzip magic', Buffer.from([0x1f, 0x8b, 8, ...Buffer.alloc(40, 255)]), {}],
    ['brotli cut short', brotliCompressSync(text).subarray(0, -9), { contentEncoding: 'br' }],
    ['no brotli', Buffer.from('hello world'), { contentEncoding: 'br' }],
    ['zstd cut short', zstdCompressSync(text).subarray(0, -9), { contentEncoding: 'zstd' }],
    ['no zstd', Buffer.from('hello world'), { contentEncoding: 'zstd' }],
    ['deflate cut short', deflateSync(text).subarray(0, -9), { contentEncoding: 'deflate' }],
  ])('%s', async (_name, body, facts) => {
    await expect(decode(body, facts)).rejects.toMatchObject({ reply: 'unreadableCompression' });
  });

  const lie = gzipSync(Buffer.alloc(100_000_000));
  lie.writeUInt32LE(10, lie.length - 4);
  const zeros = Buffer.alloc(50_000_000, 0x20);
  test.each<[string, Buffer, Facts]>([
    ['gzip', gzipSync(zeros), {}],
    ['gzip with a lie at its end', lie, {}],
    ['gzip in base64', Buffer.from(base64(gzipSync(zeros))), {}],
    ['brotli', brotliQuickly(zeros), { contentEncoding: 'br' }],
    ['zstd', zstdCompressSync(zeros), { contentEncoding: 'zstd' }],
    ['deflate', deflateSync(zeros), { contentEncoding: 'deflate' }],
  ])('a bomb of %s stops at the budget', async (_name, body, facts) => {
    const before = process.memoryUsage().rss;
    await expect(decode(body, facts, 20_000_000)).rejects.toMatchObject({ reply: 'inflatedTooLarge' });
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  });

  test('few phrases of lz-string that stand for very much are refused', async () => {
    const few = lzOfOneLetter(100);
    expect(await decode(few, { rawQuery: 'compression=lz64' })).toBe(LZString.decompressFromBase64(few));
    const packed = lzOfOneLetter(4_200);
    expect(packed.length).toBeLessThan(10_000);
    await expect(decode(packed, { rawQuery: 'compression=lz64' }, 67_108_864)).rejects.toMatchObject({
      reply: 'inflatedTooLarge',
    });
  });

  test('a gzip inside a gzip is not opened: it is no JSON', async () => {
    expect((await decode(gzipSync(gzipSync(json)))).startsWith('\u001f')).toBe(true);
  });
});
