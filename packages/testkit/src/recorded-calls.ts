import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request of a client of the management API as it was recorded, and what its answer was. */
export interface RecordedCall {
  method: string;
  /** A path, or the name of an address that an earlier answer gave. */
  url: string;
  headers: Record<string, string>;
  body?: string;
  base64?: string;
  status: number;
  /** Code of the error, by which a client decides. */
  code?: string;
  reply?: unknown;
  /** Bytes of the answer, in base64. */
  returns?: string;
  /** Names for values of the answer, which `{name}` stands for in later calls. */
  learns?: Record<string, string>;
}

/** An answer to a call that was sent again. */
interface ReplayedAnswer {
  status: number;
  bytes: Buffer;
  /** The JSON of an answer that is no file, else undefined. */
  json: unknown;
}

export interface Replay {
  /** Sends a call with its headers and its bytes, and learns from the answer. */
  send(call: RecordedCall): Promise<ReplayedAnswer>;
}

/** The `calls` of a file of recorded ones. */
export const readCalls = (path: string): RecordedCall[] =>
  (JSON.parse(readFileSync(path, 'utf8')) as { calls: RecordedCall[] }).calls;

/** Sends recorded calls, one after the other, to the API of a project. */
export function createReplay(apiUrl: string, key: string, projectId: number): Replay {
  const names = new Map([['project', String(projectId)]]);
  const filled = (text: string): string =>
    text.replaceAll(/\{([a-z]+(?: [\w-]+)?)\}/g, (all, name: string) => names.get(name) ?? all);

  async function exchange({ method, url, headers, body = '', base64 }: RecordedCall): Promise<[number, Buffer]> {
    const text = base64 === undefined ? body : Buffer.from(base64, 'base64').toString('latin1');
    const bytes = Buffer.from(filled(text), 'latin1');
    const isUpload = url.startsWith('{');
    const sent = request(new URL(filled(url), apiUrl), {
      method,
      headers: {
        ...(!isUpload && { authorization: `Bearer ${key}` }),
        ...headers,
        ...(method !== 'GET' && { 'content-length': bytes.length }),
      },
    });
    sent.end(bytes);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    return [reply.statusCode ?? 0, await buffer(reply)];
  }

  return {
    async send(call) {
      const [status, bytes] = await exchange(call);
      const json: unknown = bytes.length > 0 && call.returns === undefined ? JSON.parse(bytes.toString()) : undefined;
      for (const [name, path] of Object.entries(call.learns ?? {})) names.set(name, String(valueAt(json, path)));
      return { status, bytes, json };
    },
  };
}

const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
