import { zstdCompressSync } from 'node:zlib';

interface ContainerOptions {
  version?: number;
  type?: number;
  /** Written as it is; 1 compresses the payload. */
  compression?: number;
}

/** A container as posthog-cli writes it, around this payload. */
export function containerOf(payload: Uint8Array, { version = 2, type = 2, compression = 1 }: ContainerOptions = {}) {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(version, 0);
  head.writeUInt32LE(type, 4);
  const magic = Buffer.from('posthog_error_tracking');
  if (version === 1) return Buffer.concat([magic, head, payload]);
  const body = compression === 1 ? zstdCompressSync(payload) : payload;
  return Buffer.concat([magic, head, Buffer.of(compression), body]);
}

/** Payload of type 2. */
export function scriptAndMap(script: string, map: string): Buffer {
  return Buffer.concat([script, map].flatMap((text) => [lengthOf(text), Buffer.from(text)]));
}

function lengthOf(text: string): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(text)));
  return length;
}
