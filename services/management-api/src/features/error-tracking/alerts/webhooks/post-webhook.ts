import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isAllowedAddress, literalAddress, refusedAddress } from './webhook-address.ts';
import type { ResolveHost } from './resolve-host.ts';

/** The end of one attempt. */
export interface Outcome {
  isDelivered: boolean;
  responseStatus: number | null;
  /** A sentence for members of the project; nothing of the reply is in it. */
  error: string | null;
  /** No other attempt is worth while. */
  isFinal?: true;
}

interface PosterOptions {
  resolveHost: ResolveHost;
  isPrivateAllowed: boolean;
  /** From the look-up of the name to the end of the reply; default 10 s. */
  timeoutMs?: number;
}

export type PostWebhook = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Outcome>;

/** Bytes of a reply that are read before the connection is cut. */
const replyBytesMax = 65_536;
/** Headers of a reply in bytes. */
const headerBytesMax = 16_384;

/**
 * Sends bodies to receivers. The connection goes to an address that was checked (contract/decisions 142): the name is looked up once.
 * Redirects are not followed. Never throws.
 */
export function createPostWebhook({ resolveHost, isPrivateAllowed, timeoutMs = 10_000 }: PosterOptions): PostWebhook {
  async function addressesOf(url: URL): Promise<readonly string[]> {
    const literal = literalAddress(url);
    return literal === undefined ? await resolveHost(url.hostname) : [literal];
  }

  return async (text, headers, body) => {
    const url = new URL(text);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const addresses = await beforeAbort(addressesOf(url), signal);
      if (addresses.length === 0) return failed('The host has no address.');
      // One that is refused condemns the name: its owner chose all of them.
      if (!addresses.every((address) => isAllowedAddress(address, isPrivateAllowed))) return failed(refusedAddress);
      return await post(url, addresses, { headers, body, signal });
    } catch (error) {
      if (signal.aborted) return failed(`The receiver did not answer within ${timeoutMs / 1000} seconds.`);
      return failed(`The receiver could not be reached (${codeOf(error)}).`);
    }
  };
}

const failed = (error: string, responseStatus: number | null = null): Outcome => ({
  isDelivered: false,
  responseStatus,
  error,
});

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'no connection';
}

function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('timeout')), { once: true });
    work.then(resolve, reject);
  });
}

interface Posting {
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

async function post(url: URL, addresses: readonly string[], { headers, body, signal }: Posting): Promise<Outcome> {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    signal,
    maxHeaderSize: headerBytesMax,
    lookup: (_hostname, { all }, done) =>
      all === true ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family),
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Millrace-Webhooks/1',
      accept: '*/*',
      connection: 'close',
    },
  };
  const response = await new Promise<IncomingMessage | null>((resolve, reject) => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve);
    sent.on('error', reject);
    // A receiver that answers 101 has nothing but this event.
    sent.on('close', () => resolve(null));
    sent.end(body);
  });
  if (response === null) return failed('The connection ended without an answer.');
  const status = response.statusCode ?? 0;
  await readSome(response);
  return outcomeOf(status);
}

/** Reads a reply up to the bound, so that its sender is not cut off; the status counts, whatever becomes of the rest. */
async function readSome(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes >= replyBytesMax) response.destroy();
  });
  await new Promise<void>((resolve) => {
    response.on('error', () => resolve());
    response.on('close', () => resolve());
  });
}

/** Pure. */
function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { isDelivered: true, responseStatus: status, error: null };
  if (status >= 300 && status < 400)
    return failed(`The receiver answered ${status}: redirects are not followed.`, status);
  // Standard Webhooks: the receiver wants no more of it.
  if (status === 410) return { ...failed('The receiver answered 410: it is gone.', status), isFinal: true };
  return failed(`The receiver answered ${status}.`, status);
}
