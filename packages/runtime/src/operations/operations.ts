import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeError } from '../logs/describe-error.ts';
import type { Health } from './health.ts';

/** The text of `/metrics`: that of or that of several processes together. */
export interface Exposition {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Handles a request and returns true; false, without touching the reply, when the request is for something else. */
export type OperationsHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Serves the port of operators (contract/decisions 80): `/_liveness` (200), `/_readiness` (200, or 503 with what is not
 * ready and why) and `/metrics` (Prometheus text). Metrics that cannot be had are a 503.
 */
export function createOperations(health: Health, metrics: Exposition): OperationsHandler {
  return handlerOf({
    ...alive,
    async '/_readiness'(response) {
      const notReady = await health.notReady();
      const ready = Object.keys(notReady).length === 0;
      sendJson(response, ready ? 200 : 503, ready ? { status: 'ready' } : { status: 'not_ready', not_ready: notReady });
    },
    '/metrics': async (response) => send(response, 200, metrics.contentType, await metrics.metrics()),
  });
}

/**
 * Serves a public port, for load balancers: `/_liveness` (200) and `/_readiness` (200 or 503), which names no engine
 * and no reason. There are no metrics: they would show strangers who sends how much.
 */
export function createPublicHealth(health: Health): OperationsHandler {
  return handlerOf({
    ...alive,
    async '/_readiness'(response) {
      const ready = Object.keys(await health.notReady()).length === 0;
      sendJson(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not_ready' });
    },
  });
}

type PathHandlers = Record<string, (response: ServerResponse) => Promise<void> | void>;

const alive: PathHandlers = { '/_liveness': (response) => sendJson(response, 200, { status: 'alive' }) };

function handlerOf(handlers: PathHandlers): OperationsHandler {
  const byPath = new Map(Object.entries(handlers));
  return (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0]?.replace(/(?<=.)\/$/, '') ?? '';
    const handler = byPath.get(path);
    if (handler === undefined) return false;
    Promise.resolve(handler(response)).catch((error: unknown) =>
      send(response, 503, 'text/plain', `${describeError(error).message}\n`),
    );
    return true;
  };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, 'application/json', JSON.stringify(body));
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
