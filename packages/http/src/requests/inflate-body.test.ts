import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { Pieces } from '@millrace/runtime/bodies/pieces.ts';
import { inflateBody } from './inflate-body.ts';

const body = Buffer.alloc(1_048_576, 'a line of text\n');

/** A body as it comes from the network. */
function gathered(sent: Buffer): Uint8Array {
  const pieces = new Pieces();
  for (let at = 0; at < sent.length; at += 65_536) pieces.add(Buffer.from(sent.subarray(at, at + 65_536)));
  return pieces.joined();
}

// Threads get such bodies handed over; a copy of 16 MiB would hold the event loop up.
test.each([
  ['identity', body],
  ['gzip', gzipSync(body)],
  ['deflate', deflateSync(body)],
  ['br', brotliCompressSync(body)],
])('a large body that was sent as %s has its buffer for itself', async (coding, sent) => {
  const bytes = await inflateBody(gathered(sent), coding, 16_777_216);
  expect(Buffer.compare(bytes, body)).toBe(0);
  expect([bytes.byteOffset, bytes.buffer.byteLength]).toEqual([0, bytes.length]);
});
