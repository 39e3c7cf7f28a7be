import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
interface ChatRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    response_format: { type: string; json_schema?: { strict: boolean; schema: Record<string, unknown> } };
  };
}

/**
 * `hang`: never a byte. `cut`: the connection ends. `cut in body`, `slow`, `huge`: the answer begins, then the connection ends, or bytes
 * come slowly, or fast, without an end.
 */
type Fault = 'hang' | 'cut' | 'cut in body' | 'slow' | 'huge';

/** Behaviour of the server to one request. */
export type ChatScript =
  /** A right answer with this text. */
  | string
  /** An answer with another message, such as a refusal, and the reason why it ended. */
  | { message: Record<string, unknown>; finishReason?: string }
  /** An answer with this status and body, as JSON unless it is a text. */
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | { fault: Fault };

/** A server of chat completions on the loopback that plays scripts, one for each request; the last one again and again. */
export interface FakeChatServer {
  /** Address for LLM_BASE_URL. */
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  /** Plays other scripts from now on, and forgets the requests. */
  play(...scripts: ChatScript[]): void;
  close(): Promise<void>;
}

export async function startFakeChatServer(): Promise<FakeChatServer> {
  let scripts: readonly ChatScript[] = [];
  let requests: ChatRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      requests.push({ path, headers, body: JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest['body'] });
      answer(response, scripts[Math.min(requests.length, scripts.length) - 1] ?? { status: 404 });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get requests() {
      return requests;
    },
    play(...played) {
      scripts = played;
      requests = [];
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, script: ChatScript): void {
  if (typeof script === 'string') return complete(response, { content: script }, 'stop');
  if ('fault' in script) return fail(response, script.fault);
  if ('message' in script) return complete(response, script.message, script.finishReason ?? 'stop');
  const isText = typeof script.body === 'string';
  response.writeHead(script.status, { 'content-type': isText ? 'text/plain' : 'application/json', ...script.headers });
  response.end(isText ? script.body : JSON.stringify(script.body ?? {}));
}

function complete(response: ServerResponse, message: Record<string, unknown>, finishReason: string): void {
  const choices = [
    { index: 0, finish_reason: finishReason, message: { role: 'assistant', content: null, ...message } },
  ];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({ object: 'chat.completion', choices, usage: { prompt_tokens: 21, completion_tokens: 7 } }),
  );
}

function fail(response: ServerResponse, fault: Fault): void {
  if (fault === 'hang') return;
  if (fault === 'cut') return void response.destroy();
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"choices": [');
  if (fault === 'cut in body') return void setImmediate(() => response.destroy());
  if (fault === 'huge') return pour(response);
  const dripping = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(dripping));
}

function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write(' '.repeat(65_536)));
  if (!response.destroyed) response.once('drain', () => pour(response));
}
