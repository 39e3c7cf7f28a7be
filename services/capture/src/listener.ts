import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '@millrace/runtime/logger.ts';
import type { Answer } from '@millrace/runtime/operations.ts';
import { originForm } from '@millrace/runtime/origin-form.ts';
import express from 'express';
import { rawRefusal, sendJson, sendPreflight, sendRefusal } from './replies/replies.ts';
import type { Handle, Route } from './routes.ts';
import { splitUrl } from './split-url.ts';

/**
 * One Express app that serves all routes, and in front of it a shortcut: a request for an event route reaches the same
 * handler by one look-up of its method and path, because the way through the router costs a third of a small request.
 * All paths are served below `pathPrefix` too, for proxies that do not take it away. While `isDraining`, whatever the
 * reply to a request is, its connection is closed behind it.
 */
export function createListener(routes: readonly Route[], health: Answer, logger: Logger, pathPrefix = '', isDraining = (): boolean => false): RequestListener {
  const app = createExpressApp(routes, health, logger);
  const shortcuts = new Map<string, Handle>(
    routes
      .filter(({ methods, path }) => methods.includes('POST') && !path.includes(':'))
      .flatMap(({ path, handle }) => [
        [path, handle],
        [`${path}/`, handle],
      ]),
  );
  return (request, response) => {
    if (isDraining()) response.shouldKeepAlive = false;
    // Else the host, of any length and of the client's choice, would be a part of the path that warnings show.
    request.url = originForm(request.url);
    if (pathPrefix !== '' && request.url.startsWith(`${pathPrefix}/`)) request.url = request.url.slice(pathPrefix.length);
    const handle = request.method === 'POST' ? shortcuts.get(splitUrl(request.url).path) : undefined;
    if (handle === undefined) app(request, response);
    else void handle(request, response);
  };
}

/** All routes, on Express: for requests that the shortcut of `createListener` does not take. */
function createExpressApp(routes: readonly Route[], health: Answer, logger: Logger): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    if (health(request, response)) return;
    // What load balancers ask when nobody told them more (contract/capture 1.1).
    if (request.path === '/' && (request.method === 'GET' || request.method === 'HEAD')) sendJson(response, 200, { status: 'Ok' });
    else next();
  });
  app.use((request, response, next) => {
    if (request.method === 'OPTIONS') sendPreflight(response);
    else next();
  });
  for (const { methods, path, handle, refuse = sendRefusal } of routes) {
    const allowed: ReadonlySet<string> = new Set(methods);
    const allow = [...methods, 'OPTIONS'].join(', ');
    app.all(path, (request, response) => {
      if (allowed.has(request.method)) return handle(request, response);
      refuse(response, 'wrongMethod', { allow });
    });
  }
  app.use((_request, response) => void sendRefusal(response, 'notFound'));
  app.use((error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
    const isBadUrl = error instanceof URIError;
    if (!isBadUrl) logger.error({ err: error }, 'a request failed');
    sendRefusal(response, isBadUrl ? 'notFound' : 'fault');
  });
  return app;
}

/** Longer than load balancers keep an idle connection, so that it is never us who closes first. */
const keepAliveMs = 65_000;
const headersMsMax = 20_000;
/** How often Node looks for connections whose headers or bodies are late. */
const timeoutCheckMs = 5_000;

/** The HTTP server, not listening yet. Connections whose headers or bodies never end are closed; a body may take `bodyTotalMsMax`. */
export function createHttpServer(listener: RequestListener, bodyTotalMsMax: number): Server {
  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      headersTimeout: headersMsMax,
      requestTimeout: bodyTotalMsMax + headersMsMax,
      connectionsCheckingInterval: timeoutCheckMs,
    },
    listener,
  );
  answerClientErrors(server);
  return server;
}

/** Answers requests that are no HTTP, or whose headers never end, in our own form (Node's has neither body nor CORS). */
function answerClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.end(rawRefusal('stalled', 'Request Timeout'));
    else if (error.code === 'HPE_HEADER_OVERFLOW') socket.end(rawRefusal('headersTooLarge', 'Request Header Fields Too Large'));
    else socket.end(rawRefusal('malformedRequest', 'Bad Request'));
  });
}
