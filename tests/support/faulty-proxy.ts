import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The fate of one request with events: it gets a status, and never reaches capture; or it, or its reply, is lost
 * and the connection closes early; or the reply is late.
 */
export type Fault =
  { status: 413 | 429 | 503; retryAfterS?: number } | { lose: 'request' | 'reply' } | { replyDelayMs: number };

/** A request with events, and the status that its client got: none, when the connection was closed early. */
interface SeenRequest {
  path: string;
  headers: IncomingMessage['headers'];
  fault: Fault | null;
  status: number | null;
}

/** An HTTP proxy in front of capture. */
export interface FaultyProxy {
  readonly url: string;
  /** The next requests with events fare so, one fault each; all others go through. */
  hurt(...faults: Fault[]): void;
  /** Requests with events so far, in the order of their answers. */
  readonly seen: readonly SeenRequest[];
  /** Faults that have not come true. */
  readonly ahead: number;
  close(): Promise<void>;
}

const eventRoutes = /^\/(?:e|i\/v0\/e|batch|capture|track|i\/v0\/ai\/batch|i\/v1\/(?:analytics|ai)\/events)\/?(?:\?|$)/;

export async function startFaultyProxy(captureUrl: string): Promise<FaultyProxy> {
  const faults: Fault[] = [];
  const seen: SeenRequest[] = [];
  const late = new Set<NodeJS.Timeout>();
  const server = createServer((request, response) => {
    // The client hung up: that is its right.
    treat(request, response).catch(() => response.destroy());
  });

  async function treat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const path = request.url ?? '/';
    const hasEvents = request.method !== 'OPTIONS' && eventRoutes.test(path);
    const fault = (hasEvents && faults.shift()) || null;
    const record = (status: number | null): void => {
      if (hasEvents) seen.push({ path, headers: request.headers, fault, status });
    };
    if (fault !== null && 'status' in fault) {
      record(fault.status);
      return refuse(request, response, fault.status, fault.retryAfterS);
    }
    if (fault !== null && 'lose' in fault && fault.lose === 'request') {
      record(null);
      return void request.socket.destroy();
    }
    const reply = await forward(captureUrl, request, body);
    const send = (): void => void response.writeHead(reply.status, reply.headers).end(reply.body);
    if (fault !== null && 'lose' in fault) {
      record(null);
      request.socket.destroy();
    } else if (fault !== null) {
      late.add(setTimeout(() => (record(response.destroyed ? null : reply.status), send()), fault.replyDelayMs));
    } else {
      record(reply.status);
      send();
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hurt: (...next) => void faults.push(...next),
    seen,
    get ahead() {
      return faults.length;
    },
    async close() {
      for (const timer of late) clearTimeout(timer);
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** As capture would: with CORS, so that a browser sees the status. */
function refuse({ headers }: IncomingMessage, response: ServerResponse, status: number, retryAfterS?: number): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
    ...(headers.origin !== undefined && {
      'access-control-allow-origin': headers.origin,
      'access-control-allow-credentials': 'true',
    }),
  });
  response.end('{"type":"server_error","code":"told","detail":"The proxy was told to."}');
}

interface ForwardedReply {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

async function forward(
  captureUrl: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<ForwardedReply> {
  const { 'transfer-encoding': _chunked, ...others } = headers;
  const forwarded = httpRequest(captureUrl + url, { method, headers: { ...others, 'content-length': body.length } });
  forwarded.end(body);
  const [reply] = (await once(forwarded, 'response')) as [IncomingMessage];
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(await reply.toArray()) };
}
