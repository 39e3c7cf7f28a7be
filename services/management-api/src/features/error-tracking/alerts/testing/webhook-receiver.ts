import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface Received {
  id: string;
  timestamp: string;
  signatures: string[];
  body: string;
  /** The body, parsed. */
  type: string;
  data: {
    project: { id: number };
    issue?: { id: string; name: string; description: string; url: string };
    created?: number;
    regressed?: number;
    issues?: unknown[];
  };
}

export interface WebhookReceiver {
  url: string;
  received: Received[];
  /** Answers from now on; default 204. */
  answer: (response: ServerResponse, request: Received) => void;
  close(): void;
}

/** A receiver of webhooks on this machine. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const header = (name: string): string => String(request.headers[name] ?? '');
      const one: Received = {
        ...(JSON.parse(body) as Pick<Received, 'type' | 'data'>),
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signatures: header('webhook-signature').split(' '),
        body,
      };
      receiver.received.push(one);
      receiver.answer(response, one);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    answer: (response) => response.writeHead(204).end(),
    close: () => server.close().closeAllConnections(),
  };
  return receiver;
}

/** The signature that a receiver expects, by the text of the specification. */
export function expectedSignature(secret: string, { id, timestamp, body }: Received): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update([id, timestamp, body].join('.')).digest('base64')}`;
}
