import { Agent, request, type IncomingMessage } from 'node:http';

interface HttpRequest {
  method: 'GET' | 'POST';
  /** With its query string. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
}

export interface HttpClient {
  /** The whole reply. @throws when its status is not 2xx; the message holds what the server said */
  send(requested: HttpRequest): Promise<Buffer>;
  close(): void;
}

/** Speaks to one server over connections that stay open. */
export function createHttpClient(baseUrl: string): HttpClient {
  const agent = new Agent({ keepAlive: true });
  return {
    send: ({ method, path, headers = {}, body = '' }) =>
      new Promise((resolve, reject) => {
        const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
        const queried = request(
          baseUrl + path,
          { method, agent, headers: { ...headers, 'content-length': length } },
          (response) => collect(response, resolve, reject),
        );
        queried.on('error', reject);
        queried.end(body);
      }),
    close: () => agent.destroy(),
  };
}

function collect(response: IncomingMessage, resolve: (bytes: Buffer) => void, reject: (error: Error) => void): void {
  const chunks: Buffer[] = [];
  const { statusCode = 0 } = response;
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('error', reject);
  response.on('end', () => {
    const bytes = Buffer.concat(chunks);
    if (statusCode >= 200 && statusCode < 300) resolve(bytes);
    else reject(new Error(`the server answered ${statusCode}: ${bytes.toString('utf8', 0, 500)}`));
  });
}
