import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { OperationsHandler } from '@millrace/runtime/operations/operations.ts';
import { originForm } from '@millrace/runtime/http/origin-form.ts';
import { createRouteTable } from '@millrace/runtime/http/route-table.ts';
import { rawErrorReply, sendErrorWith, sendJson, sendPreflight, sendError } from './replies.ts';
import type { Route } from './route.ts';
import { splitUrl } from './split-url.ts';
import { describeUnknownAddress } from './unknown-address.ts';

interface ListenerOptions {
  pathPrefix?: string;
  /** Address of the management API, which a 404 for one of its paths names; null when it is not configured. */
  apiUrl?: string | null;
  isDraining?: () => boolean;
}

/**
 * Passes each request to the handler of its path. Upper and lower case are equal, and a slash at the end is ignored. All paths are served
 * below `pathPrefix` too, for proxies that do not remove it, and after several slashes, which clients send whose host ends with one. While
 * `isDraining`, the connection is closed after each reply.
 */
export function createListener(
  routes: readonly Route[],
  health: OperationsHandler,
  logger: Logger,
  { pathPrefix = '', apiUrl = null, isDraining = (): boolean => false }: ListenerOptions = {},
): RequestListener {
  const find = createRouteTable(routes.map((route) => [route.path, route]));
  return (request, response) => {
    if (isDraining()) response.shouldKeepAlive = false;
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      return void sendError(response, 'malformedRequest');
    // Else the host, of any length and of the client's choice, would be a part of the path that warnings show.
    request.url = withOneSlash(originForm(request.url));
    if (pathPrefix !== '' && request.url.startsWith(`${pathPrefix}/`))
      request.url = withOneSlash(request.url.slice(pathPrefix.length));
    const { path } = splitUrl(request.url);
    const { method = '' } = request;
    const route = find(path)?.entry;
    if (route !== undefined && route.methods.some((one) => one === method)) {
      route.handle(request, response).catch((error: unknown) => {
        logger.error({ err: error }, 'a request failed');
        if (!response.headersSent) sendError(response, 'internalError');
      });
    } else if (health(request, response)) return;
    // Load balancers request it unless they are configured otherwise (contract/capture 1.1).
    else if (path === '/' && (method === 'GET' || method === 'HEAD')) sendJson(response, 200, { status: 'Ok' });
    else if (method === 'OPTIONS') sendPreflight(response);
    else if (route === undefined) sendErrorWith(response, 'notFound', describeUnknownAddress(apiUrl, method, path));
    else
      (route.sendError ?? sendError)(response, 'methodNotAllowed', { allow: [...route.methods, 'OPTIONS'].join(', ') });
  };
}

const withOneSlash = (url: string): string => (url.startsWith('//') ? url.replace(/^\/+/, '/') : url);

/** Longer than load balancers keep an idle connection, so that it is never us who closes first. */
const keepAliveMs = 65_000;
const headersMsMax = 20_000;
/** Interval at which Node checks for connections with late headers or bodies. */
const timeoutCheckMs = 5_000;

/** The HTTP server, not listening yet. Connections whose headers or bodies never end are closed; a body may take `bodyTotalMsMax`. */
export function createHttpServer(listener: RequestListener, bodyTotalMsMax: number): Server {
  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      headersTimeout: headersMsMax,
      requestTimeout: bodyTotalMsMax + headersMsMax,
      connectionsCheckingInterval: timeoutCheckMs,
      // Node's own error reply has no body; `createListener` has one.
      requireHostHeader: false,
    },
    listener,
  );
  replyToClientErrors(server);
  return server;
}

/**
 * Replies to requests that are no HTTP, or whose headers never end, in our own form (Node's has neither body nor CORS).
 */
function replyToClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.end(rawErrorReply('stalled', 'Request Timeout'));
    else if (error.code === 'HPE_HEADER_OVERFLOW')
      socket.end(rawErrorReply('headersTooLarge', 'Request Header Fields Too Large'));
    else socket.end(rawErrorReply('malformedRequest', 'Bad Request'));
  });
}
