import { hash, randomBytes, randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(4096);
let used = pool.length;

function hex32ToUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A time-ordered UUID (version 7, RFC 9562) for `ms` since 1970; the rest is random. */
export function uuidV7(ms: number): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.toString('hex', used, used + 10);
  used += 10;
  const variant = ((parseInt(random[0] ?? '0', 16) & 0x3) | 0x8).toString(16);
  const time = Math.max(0, Math.trunc(ms)).toString(16).padStart(12, '0');
  return hex32ToUuid(`${time}7${random.slice(1, 4)}${variant}${random.slice(5)}`);
}

/** A name-based UUID (version 5, RFC 9562): the same namespace and name always give the same one. */
export function uuidV5(namespace: string, name: string): string {
  const digest = hash(
    'sha1',
    Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), Buffer.from(name)]),
    'hex',
  );
  const variant = ((parseInt(digest[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return hex32ToUuid(`${digest.slice(0, 12)}5${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`);
}

/** 1 for the characters of a hexadecimal number, in either case. */
const isHex = Uint8Array.from({ length: 128 }, (_, code) => Number(/[0-9a-f]/i.test(String.fromCharCode(code))));
const hyphen = 45;

/** Characters of the usual text form of a UUID. */
export const uuidLength = 36;
const isHyphenIndex = (at: number): boolean => at === 8 || at === 13 || at === 18 || at === 23;

/** True for the usual text form of any UUID, in either case. By hand: it is called for every event. */
export function isUuid(text: string): boolean {
  if (text.length !== uuidLength) return false;
  for (let at = 0; at < uuidLength; at++) {
    const code = text.charCodeAt(at);
    if (isHyphenIndex(at) ? code !== hyphen : isHex[code] !== 1) return false;
  }
  return true;
}

/** True when `bytes` have such a text at `start`, whatever follows it. */
export function isUuidAt(bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < uuidLength; at++) {
    const code = bytes[start + at] ?? 0;
    if (isHyphenIndex(at) ? code !== hyphen : isHex[code] !== 1) return false;
  }
  return true;
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A secret of `bytes` random bytes as base62 after a prefix such as `phx_` (contract/orgs-errors 1.2). */
export function randomToken(prefix: string, bytes: number): string {
  let value = BigInt(`0x01${randomBytes(bytes).toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 62n) text = base62.charAt(Number(value % 62n)) + text;
  return prefix + text;
}
