import { isUtf8 } from 'node:buffer';
import { zstdDecompressSync } from 'node:zlib';
import { SymbolDataError } from '../symbol-data-error.ts';

/** The file that posthog-cli uploads: an envelope around symbols of one kind (contract/orgs-errors 4.4). */
export type Container =
  | {
      kind: 'source map';
      /** The minified script. */
      script: string;
      /** JSON of its map, not yet read. */
      map: string;
    }
  | { kind: 'Hermes map' | 'ProGuard mapping'; text: string }
  | { kind: 'dSYM' | 'ELF' };

/** Bytes of the payload after decompression. */
const payloadBytesMax = 256 * 1024 * 1024;

const magic = Buffer.from('posthog_error_tracking');
const kinds = new Map<number, Container['kind']>([
  [2, 'source map'],
  [3, 'Hermes map'],
  [4, 'ProGuard mapping'],
  [5, 'dSYM'],
  [6, 'ELF'],
]);
const bytesOfLength = 8;

/** Reads a container of version 1 or 2. Texts are copies. @throws {SymbolDataError} */
export function readContainer(bytes: Uint8Array, bytesMax = payloadBytesMax): Container {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, magic.length).equals(magic)) throw invalid('it does not begin as a container does');
  if (file.length < magic.length + 8) throw invalid('it ends within its head');
  const version = file.readUInt32LE(magic.length);
  const type = file.readUInt32LE(magic.length + 4);
  const kind = kinds.get(type);
  if (version !== 1 && version !== 2) throw invalid(`version ${version} is not known`);
  if (kind === undefined) throw invalid(`type ${type} is not known`);
  if (kind === 'dSYM' || kind === 'ELF') return { kind };
  const rest = file.subarray(magic.length + 8);
  const payload = version === 1 ? withinLimit(rest, bytesMax) : decompress(rest, bytesMax);
  return kind === 'source map' ? { kind, ...readScriptAndMap(payload) } : { kind, text: textOf(payload, kind) };
}

function decompress(rest: Buffer, bytesMax: number): Buffer {
  const compression = rest[0];
  const payload = rest.subarray(1);
  if (compression === 0) return withinLimit(payload, bytesMax);
  if (compression === undefined) throw invalid('it ends within its head');
  if (compression !== 1) throw invalid(`compression ${compression} is not known`);
  try {
    return zstdDecompressSync(payload, { maxOutputLength: bytesMax });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(bytesMax);
    throw invalid('zstd cannot decompress it');
  }
}

function withinLimit(payload: Buffer, bytesMax: number): Buffer {
  if (payload.length > bytesMax) throw tooLarge(bytesMax);
  return payload;
}

function readScriptAndMap(payload: Buffer): { script: string; map: string } {
  const script = readText(payload, 0, 'script');
  const map = readText(payload, script.end, 'map');
  if (map.end !== payload.length) throw invalid('something follows the map');
  return { script: script.text, map: map.text };
}

/** Reads a length of 64 bits and a text of so many bytes. */
function readText(payload: Buffer, at: number, name: string): { text: string; end: number } {
  const start = at + bytesOfLength;
  if (start > payload.length) throw invalid(`it ends before the ${name}`);
  const length = payload.readBigUInt64LE(at);
  if (length > BigInt(payload.length - start)) throw invalid(`it ends within the ${name}`);
  const end = start + Number(length);
  return { text: textOf(payload.subarray(start, end), name), end };
}

function textOf(bytes: Buffer, name: string): string {
  if (!isUtf8(bytes)) throw invalid(`the ${name} is not UTF-8`);
  return bytes.toString('utf8');
}

const tooLarge = (bytesMax: number): SymbolDataError => invalid(`more than ${bytesMax} bytes when decompressed`);
const invalid = (reason: string): SymbolDataError => new SymbolDataError('container data', reason);
