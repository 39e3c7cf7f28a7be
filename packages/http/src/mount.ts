import type { Express, RequestHandler } from 'express';
import { usualLimits } from '@millrace/runtime/bodies/arrival.ts';
import { createArrivingBodies, type ArrivingBodies } from '@millrace/runtime/bodies/arriving-bodies.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { credentialsOf, type Credentials } from './requests/credentials.ts';
import { isNeverAllowed, needsKey, type Access, type Guarded, type Route } from './define-route.ts';
import { errorPageOf } from './error-page.ts';
import { errorEdge, type ErrorLog, type TranslateError } from './errors/error-edge.ts';
import { AppError } from './errors/errors.ts';
import { parseQuery } from './requests/parse-query.ts';
import { createBodyOf, type BodyOf } from './requests/request-body.ts';
import { createRouteTable } from '@millrace/runtime/http/route-table.ts';
import { serveRoute } from './serve-route.ts';
import type { UnsentReplies } from './replies/unsent-replies.ts';

/** One request, as its wide log line and the metrics see it. */
export interface FinishedRequest {
  requestId: string;
  /** The route's; `unknown` when no route matched. */
  operation: string;
  method: string;
  status: number;
  durationMs: number;
  /** The client went away before the reply was complete. */
  aborted: boolean;
}

export interface MountOptions<Context> {
  context: Context;
  /**
   * Finds the caller, and checks whether the key may call the route on the project or organization of the path, and how
   * often.
   * @throws {AppError} 401, 403, 404 or 429, in the order of contract/orgs-errors 1.3
   */
  authorize: (route: Guarded, credentials: Credentials) => Promise<unknown>;
  /** Only who calls: for a known path with a wrong method (contract/decisions 11). @throws {AppError} 401 */
  authenticate: (credentials: Credentials) => Promise<unknown>;
  /** Called when a handler has ended, well or not, before its reply is sent. Must not throw. */
  afterCall?: (access: Access) => void;
  translateError?: TranslateError;
  /** Path prefixes that stand for others, such as `/api/environments/` for `/api/projects/`. */
  aliases?: Readonly<Record<string, string>>;
  /** The sentence about an address that is not served. It follows the usual one. */
  describeUnknown?: (method: string, path: string) => string | undefined;
  /** Serves paths that are no operations of the API, with the same ids, log lines and error edge. */
  others?: RequestHandler;
  /** Largest body in bytes, after decompression. */
  bodyBytesMax: number;
  /** The same of routes that are `unparsed`; as others unless given. */
  largeBodyBytesMax?: number;
  /** Watches bodies while they arrive; a watch of its own with the usual limits unless given. */
  bodies?: ArrivingBodies;
  log: ErrorLog;
  unsent: UnsentReplies;
  onFinish: (finished: FinishedRequest) => void;
}

/**
 * Mounts the routes, in the order of their paths in the list, on an Express application: with and without trailing slash,
 * never redirecting; 405 for their paths with other methods, 404 for everything else, and the one error edge.
 */
export function mountRoutes<Context>(
  app: Express,
  routes: readonly Route<Context>[],
  options: MountOptions<Context>,
): void {
  app.disable('etag');
  app.disable('x-powered-by');
  app.set('query parser', false);
  app.use(beginRequest(options));
  if (options.others !== undefined) app.use(options.others);
  const bodyOf = createBodyOf(
    { bytesMax: options.bodyBytesMax, largeBytesMax: options.largeBodyBytesMax ?? options.bodyBytesMax },
    options.bodies ?? createArrivingBodies(usualLimits(), { bytesInFlight: 0 }),
  );
  // Path by path: what a fixed name has not must not fall to the parameter after it.
  const paths = Map.groupBy(routes, (route) => route.path);
  const find = createRouteTable([...paths].map(([path, same]) => [path, handlersOf(same, options, bodyOf)] as const));
  app.use((request, response, next) => {
    const found = find(request.path);
    if (found === undefined) return next();
    request.params = found.params;
    return found.entry(request.method)(request, response, next);
  });
  app.use((request, _response, next) => {
    const usual = /^\/api(?:\/|$)/.test(request.path) ? 'Endpoint not found.' : 'Not found.';
    const more = options.describeUnknown?.(request.method, request.path);
    const detail = more === undefined ? usual : `${usual} ${more}`;
    next(new AppError('not_found', { detail, logged: 'There is no such address.' }));
  });
  app.use(errorEdge(options.log, options.translateError ?? (() => undefined), errorPageOf));
}

/** The routes of a path, by method; HEAD as GET, whose body Node leaves out. */
function handlersOf<Context>(
  routes: readonly Route<Context>[],
  options: MountOptions<Context>,
  bodyOf: BodyOf,
): (method: string) => RequestHandler {
  const handlers = new Map<string, RequestHandler>(
    routes.map((route) => [route.method.toUpperCase(), serveRoute(route, options, bodyOf)]),
  );
  const refuse = refuseMethod(routes, options.authenticate, bodyOf);
  return (method) => handlers.get(method === 'HEAD' ? 'GET' : method) ?? refuse;
}

function beginRequest<Context>({ aliases = {}, onFinish }: MountOptions<Context>): RequestHandler {
  const prefixes = Object.entries(aliases);
  return (request, response, next) => {
    const begun = performance.now();
    const requestId = uuidV7(Date.now());
    response.setHeader('x-request-id', requestId);
    for (const [alias, prefix] of prefixes) {
      if (request.url.startsWith(alias)) request.url = prefix + request.url.slice(alias.length);
    }
    response.once('close', () => {
      const operation: unknown = response.locals['operation'];
      onFinish({
        requestId,
        operation: typeof operation === 'string' ? operation : 'unknown',
        method: request.method,
        status: response.statusCode,
        durationMs: performance.now() - begun,
        aborted: !response.writableFinished,
      });
    });
    next();
  };
}

function refuseMethod(
  routes: readonly Pick<Route, 'method' | 'access' | 'responses'>[],
  authenticate: (credentials: Credentials) => Promise<unknown>,
  bodyOf: BodyOf,
): RequestHandler {
  const allowed = routes
    .filter((route) => !isNeverAllowed(route))
    .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    .sort();
  const isPublic = !routes.some(({ access }) => needsKey(access));
  return async (request, response) => {
    if (!isPublic) await authenticate(credentialsOf(request, parseQuery(request.url), bodyOf(request, response, {})));
    throw new AppError('method_not_allowed', {
      detail: `Method "${request.method}" not allowed. Use ${allowed.join(' or ')}.`,
      headers: { allow: allowed.join(', ') },
    });
  };
}
