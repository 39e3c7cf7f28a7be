import { describe, expect, test } from '@jest/globals';
import { murmur2, partitionOf } from './partition.ts';

describe('partitionOf', () => {
  test.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])("hashes %s as Kafka's Java client does", (key, hash) => {
    expect(murmur2(key)).toBe(hash);
    expect(partitionOf(key, 8)).toBe((hash & 0x7fffffff) % 8);
  });

  test('takes the UTF-8 bytes of keys that are not ASCII, whatever their length', () => {
    for (const key of ['é', 'né', 'phc_x:ünïcode', '🙂', 'a🙂b', '日本語', '\ud800x']) {
      // The same bytes by the definition, byte for byte.
      expect(murmur2(key)).toBe(byDefinition(Buffer.from(key)));
    }
  });

  test('agrees with the definition for ASCII keys of every length modulo 4', () => {
    for (let length = 0; length < 40; length++) {
      const key = 'token:distinct-id-of-someone-0123456789x'.slice(0, length);
      expect(murmur2(key)).toBe(byDefinition(Buffer.from(key)));
    }
  });
});

/** Murmur2 in exact integer arithmetic, as slow as it is plain. */
function byDefinition(bytes: Buffer): number {
  const word = 1n << 32n;
  const m = 0x5bd1e995n;
  let h = (0x9747b28cn ^ BigInt(bytes.length)) % word;
  const whole = bytes.length - (bytes.length % 4);
  for (let at = 0; at < whole; at += 4) {
    let k = (BigInt(bytes.readUInt32LE(at)) * m) % word;
    k ^= k >> 24n;
    h = ((h * m) % word) ^ ((k * m) % word);
  }
  if (whole < bytes.length) h = ((h ^ BigInt(bytes.readUIntLE(whole, bytes.length - whole))) * m) % word;
  h = ((h ^ (h >> 13n)) * m) % word;
  return Number(BigInt.asIntN(32, h ^ (h >> 15n)));
}
