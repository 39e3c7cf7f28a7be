import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createRequire } from 'node:module';

interface Encoder {
  buffer: Buffer;
  /** Bytes for the socket. */
  chunks(): Buffer[];
  size(): number;
}

const require = createRequire(import.meta.url);
const { RecordBatch } = require('kafkajs/src/protocol/recordBatch/v0') as {
  RecordBatch: (batch: object) => Promise<Encoder>;
};
const encodeRecord = require('kafkajs/src/protocol/recordBatch/record/v0') as (record: object) => Encoder;
const Decoder = require('kafkajs/src/protocol/decoder') as new (buffer: Buffer) => unknown;
const decodeBatch = require('kafkajs/src/protocol/recordBatch/v0/decoder') as (
  decoder: unknown,
) => Promise<{ records: { value: Buffer; offset: string }[] }>;
// The patch calls native code in its place; it is still there to compare with.
const originalChecksum = require('kafkajs/src/protocol/recordBatch/crc32C/crc32C') as (buffer: Buffer) => number;

// First offset, length, epoch and version stand before the checksum (at 17), what it is computed of after it.
const checksumAt = 17;

test('a batch of records is read back as it was written, whatever the sizes, and its checksum is the one that kafkajs computes', async () => {
  const sizes = fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1_000, max: 1_050 }),
      fc.integer({ min: 3_000, max: 70_000 }),
    ),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(sizes, async (each) => {
      const values = each.map((size, index) => Buffer.alloc(size, `${index}.`));
      const records = values.map((value, offsetDelta) => encodeRecord({ offsetDelta, timestampDelta: 0, value }));
      const batch = await RecordBatch({
        records,
        lastOffsetDelta: records.length - 1,
        producerId: 7,
        firstSequence: 3,
      });
      const bytes = batch.buffer;
      expect(bytes.length).toBe(batch.size());
      expect(Buffer.concat(batch.chunks()).equals(bytes)).toBe(true);
      expect(bytes.readInt32BE(8)).toBe(bytes.length - 12);
      expect(bytes.readUInt32BE(checksumAt)).toBe(originalChecksum(bytes.subarray(checksumAt + 4)));
      const decoded = await decodeBatch(new Decoder(bytes));
      expect(decoded.records.map(({ value }, index) => value.equals(values[index] ?? Buffer.of(1)))).toEqual(
        values.map(() => true),
      );
    }),
    { numRuns: 50 },
  );
});

test('a connection at rest arms no timer', () => {
  const RequestQueue = require('kafkajs/src/network/requestQueue') as new (options: object) => {
    throttleCheckTimeoutId: unknown;
    fulfillRequest(reply: object): void;
    destroy(): void;
  };
  const silent = { debug: () => undefined, warn: () => undefined };
  const queue = new RequestQueue({
    instrumentationEmitter: null,
    maxInFlightRequests: null,
    requestTimeout: 1_000,
    enforceRequestTimeout: false,
    clientId: 'c',
    broker: 'b',
    logger: silent,
  });
  queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
  expect(queue.throttleCheckTimeoutId).toBeNull();
  queue.destroy();
});
