import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Health } from './health.ts';

/** What `/metrics` answers with: a registry's text, or that of several processes. */
export interface Exposition {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Paths that every service answers for those who run it. */
const operationPaths = new Set(['/_liveness', '/_readiness', '/metrics']);

/**
 * Answers `/_liveness` (200), `/_readiness` (200, or 503 with what is not ready) and `/metrics` (Prometheus text).
 * Returns false, without touching the reply, when the request is for something else. Metrics that cannot be had are a 503.
 */
export function createOperations(health: Health, metrics: Exposition) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const path = (request.url ?? '').split('?', 1)[0]?.replace(/(?<=.)\/$/, '') ?? '';
    if (!operationPaths.has(path)) return false;
    answer(path, response, health, metrics).catch((error: unknown) => send(response, 503, 'text/plain', `${String(error)}\n`));
    return true;
  };
}

async function answer(path: string, response: ServerResponse, health: Health, metrics: Exposition): Promise<void> {
  if (path === '/metrics') return send(response, 200, metrics.contentType, await metrics.metrics());
  if (path === '/_liveness') return sendJson(response, 200, { status: 'alive' });
  const notReady = await health.notReady();
  const ready = Object.keys(notReady).length === 0;
  sendJson(response, ready ? 200 : 503, ready ? { status: 'ready' } : { status: 'not_ready', not_ready: notReady });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, 'application/json', JSON.stringify(body));
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
