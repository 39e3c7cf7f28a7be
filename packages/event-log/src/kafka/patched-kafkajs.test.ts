import { expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

// The patch of kafkajs puts native code in the place of its checksum; kafkajs' own is still there to compare with.
test('the checksum of record batches is the one that kafkajs computes', () => {
  const patched = require('kafkajs/src/protocol/recordBatch/crc32C') as (buffer: Buffer) => number;
  const original = require('kafkajs/src/protocol/recordBatch/crc32C/crc32C') as (buffer: Buffer) => number;
  expect(patched).not.toBe(original);
  // The check value of CRC-32C, as its catalogues have it.
  expect(patched(Buffer.from('123456789'))).toBe(0xe3069283);
  for (const length of [0, 1, 7, 8, 9, 63, 64, 65, 1_000, 65_537]) {
    const around = randomBytes(length + 5);
    const bytes = around.subarray(3, 3 + length);
    expect(patched(bytes)).toBe(original(bytes));
  }
});

test('a connection at rest arms no timer', () => {
  const RequestQueue = require('kafkajs/src/network/requestQueue') as new (options: object) => { throttleCheckTimeoutId: unknown; fulfillRequest(reply: object): void; destroy(): void };
  const silent = { debug: () => undefined, warn: () => undefined };
  const queue = new RequestQueue({ instrumentationEmitter: null, maxInFlightRequests: null, requestTimeout: 1_000, enforceRequestTimeout: false, clientId: 'c', broker: 'b', logger: silent });
  queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
  expect(queue.throttleCheckTimeoutId).toBeNull();
  queue.destroy();
});
