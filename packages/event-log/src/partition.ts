/*
 * Murmur2 as Kafka's Java client computes it (MurmurHash2 by Austin Appleby, seed 0x9747b28c, over the UTF-8 bytes),
 * so that a key has one partition whatever writes it. Kafka's producers clear the sign bit before the modulo.
 */
const seed = 0x9747b28c;
const multiplier = 0x5bd1e995;

/** The partition of a key (`token:distinct_id`), 0 to `partitions` - 1. It must never change, or events of one person would lose their order. */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions;
}

/** Murmur2 of the key's UTF-8 bytes, as a signed 32-bit integer. */
export function murmur2(key: string): number {
  return hashAscii(key) ?? hashBytes(Buffer.from(key));
}

/** The hash without a buffer, for text in which each character is a byte; null for other text. */
function hashAscii(key: string): number | null {
  const length = key.length;
  let hash = seed ^ length;
  let seen = 0;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    const a = key.charCodeAt(at);
    const b = key.charCodeAt(at + 1);
    const c = key.charCodeAt(at + 2);
    const d = key.charCodeAt(at + 3);
    seen |= a | b | c | d;
    hash = mix(hash, a | (b << 8) | (c << 16) | (d << 24));
  }
  let rest = 0;
  for (let index = at; index < length; index++) {
    const byte = key.charCodeAt(index);
    seen |= byte;
    rest |= byte << ((index - at) * 8);
  }
  return seen > 0x7f ? null : finish(at < length ? Math.imul(hash ^ rest, multiplier) : hash);
}

function hashBytes(bytes: Buffer): number {
  const length = bytes.length;
  let hash = seed ^ length;
  let at = 0;
  for (; at + 4 <= length; at += 4) hash = mix(hash, bytes.readInt32LE(at));
  const rest = at < length ? bytes.readUIntLE(at, length - at) : 0;
  return finish(at < length ? Math.imul(hash ^ rest, multiplier) : hash);
}

function mix(hash: number, word: number): number {
  let mixed = Math.imul(word, multiplier);
  mixed ^= mixed >>> 24;
  return Math.imul(hash, multiplier) ^ Math.imul(mixed, multiplier);
}

function finish(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 13), multiplier);
  return mixed ^ (mixed >>> 15);
}
