import { setTimeout as wait } from 'node:timers/promises';
import type { Project } from '../rig/projects.ts';

/** Address of an upload. */
export interface Upload {
  symbol_set_id: string;
  presigned_url: { url: string; fields: Record<string, string> };
}

/**
 * Calls about the symbol sets of a project. Null, undefined or false: nothing is known of the outcome, since a service or the storage is away.
 * @throws {Error} for answers that no outage explains
 */
export interface SymbolSetClient {
  /** Uploads that are wanted, by ref. */
  start(ref: string, hash: string): Promise<Record<string, Upload> | null>;
  /** Sends the file with a pause in its middle. */
  post(upload: Upload, bytes: Buffer): Promise<boolean>;
  finish(id: string, hash: string): Promise<boolean>;
  /** Null: it has no file. */
  download(id: string): Promise<Buffer | null | undefined>;
}

const replyMsMax = 8_000;
const pauseMsMax = 250;
const boundary = 'the-parts';

export function symbolSetClient(apiUrl: string, { id, key }: Project): SymbolSetClient {
  const base = `${apiUrl}/api/projects/${id}/error_tracking/symbol_sets`;

  async function call(path: string, body?: object): Promise<{ status: number; json: unknown } | null> {
    const reply = await answerOf(`${base}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (reply === null) return null;
    const json: unknown = JSON.parse(reply.bytes.toString() || 'null');
    if (reply.status >= 400 && !(body === undefined && reply.status === 404))
      throw new Error(`${path} was answered with ${reply.status}: ${reply.bytes.toString().slice(0, 300)}`);
    return { status: reply.status, json };
  }

  return {
    async start(ref, hash) {
      const reply = await call('/bulk_start_upload', {
        symbol_sets: [{ chunk_id: ref, content_hash: hash }],
        force: true,
      });
      return reply && (reply.json as { id_map: Record<string, Upload> }).id_map;
    },
    async post({ presigned_url: { url, fields } }, bytes) {
      const head = Object.entries(fields).map(([name, value]) => `${partOf(name)}\r\n\r\n${value}\r\n`);
      const parts = [
        Buffer.from(`${head.join('')}${partOf('file')}; filename="file"\r\n\r\n`),
        bytes,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ];
      const reply = await answerOf(url, {
        method: 'POST',
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: ReadableStream.from(slowly(Buffer.concat(parts))),
        duplex: 'half',
      });
      if (reply !== null && reply.status !== 204)
        throw new Error(`a file was answered with ${reply.status}: ${reply.bytes.toString().slice(0, 300)}`);
      return reply !== null;
    },
    async finish(setId, hash) {
      return (await call('/bulk_finish_upload', { content_hashes: { [setId]: hash } })) !== null;
    },
    async download(setId) {
      const reply = await call(`/${setId}/download/`);
      if (reply === null) return undefined;
      if (reply.status === 404) return null;
      const file = await answerOf((reply.json as { url: string }).url, {});
      return file === null || file.status !== 200 ? undefined : file.bytes;
    },
  };
}

const partOf = (name: string): string => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;

async function* slowly(bytes: Buffer): AsyncGenerator<Buffer> {
  const half = Math.floor(bytes.length / 2);
  yield bytes.subarray(0, half);
  await wait(Math.random() * pauseMsMax);
  yield bytes.subarray(half);
}

/** Null: no answer, a cut one, or one of 500 and above. */
async function answerOf(url: string, request: RequestInit): Promise<{ status: number; bytes: Buffer } | null> {
  try {
    const reply = await fetch(url, { ...request, signal: AbortSignal.timeout(replyMsMax) });
    const bytes = Buffer.from(await reply.arrayBuffer());
    return reply.status >= 500 ? null : { status: reply.status, bytes };
  } catch (error) {
    // Fetch says by these alone that there is no answer; others are faults of ours. By name: Jest has a TypeError of its own.
    if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return null;
    throw error;
  }
}
