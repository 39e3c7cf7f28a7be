import { createServer } from 'node:http';
import type { Setting } from '../config.ts';
import type { Health } from './health.ts';
import { closeServer, listen } from '../http/http-server.ts';
import type { Part } from '../lifecycle.ts';
import { createOperations, type Exposition } from './operations.ts';
import { integer, text } from '../settings.ts';

/** Address of operators' port. */
export interface OperationsConfig {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/** The settings of operators' port, of every service; `usualPort` of this one, so that several run on one machine. */
export function operationsSettings(usualPort: number): { host: Setting<string>; port: Setting<number> } {
  const port = integer('OPERATIONS_PORT', {
    description:
      'port of metrics and of readiness in detail, for operators alone; unset: 8010 of capture, 8011 of the management API, 8002 of the consumer; 0: any free one',
    default: usualPort,
    max: 65_535,
  });
  return {
    host: text('OPERATIONS_HOST', {
      description: "address that the operators' port listens on; every client that reaches it may read it",
      default: '127.0.0.1',
    }),
    port: { ...port, defaultText: '' },
  };
}

const elsewhere =
  "This is a port of operators: /metrics, /_readiness, /_liveness. Events go to capture's address, queries to that of the API.\n";

/** Operators' port as a part of a service. */
export interface OperationsServer extends Part {
  /** Base address; before the start with the port of the settings. */
  url(): string;
}

/**
 * Serves metrics and readiness in detail on a port of their own; every other path is a 404 that names these and the other ports.
 * @throws from `start`, naming the port, when it cannot be had
 */
export function createOperationsServer(
  { host, port }: OperationsConfig,
  health: Health,
  exposition: Exposition,
): OperationsServer {
  const operations = createOperations(health, exposition);
  const server = createServer((request, response) => {
    if (!operations(request, response)) response.writeHead(404, { 'content-type': 'text/plain' }).end(elsewhere);
  });
  let taken = port;
  return {
    name: 'operations',
    async start() {
      try {
        taken = await listen(server, host, port);
      } catch (error) {
        throw new Error(`the operators' port ${port} of ${host} (OPERATIONS_PORT, OPERATIONS_HOST) cannot be had`, {
          cause: error,
        });
      }
    },
    stop: () => closeServer(server, 500),
    url: () => `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
  };
}
