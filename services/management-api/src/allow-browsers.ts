import type { RequestHandler } from 'express';
import { takesRunTokens, type Route } from '@millrace/http/define-route.ts';
import { isRunToken } from './auth/run-token-value.ts';

const preflight = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, if-none-match',
  'access-control-max-age': '600',
};
const exposed =
  'ETag, Retry-After, X-Request-Id, X-Execution-Id, X-Endpoint-Version, X-Is-Cached, X-Age-Seconds, X-Warnings';

/**
 * Lets pages of any origin call the routes that take run tokens, with such a token in `Authorization`. The API has
 * no cookies, so the origin does not matter: the token alone decides. Pages cannot read replies to requests with personal keys.
 */
export function allowBrowsers(routes: readonly Pick<Route, 'access' | 'path'>[]): RequestHandler {
  const paths = routes.filter(({ access }) => takesRunTokens(access)).map(({ path }) => path);
  const patterns = [...new Set(paths)].map(
    (path) =>
      new RegExp(
        `^${path.replaceAll(/:\w+/g, '[^/]+').replace('/api/projects/', '/api/(?:projects|environments)/')}/?$`,
      ),
  );
  return (request, response, next) => {
    if (!patterns.some((pattern) => pattern.test(request.path))) return next();
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      response.writeHead(204, preflight).end();
      return;
    }
    const token = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization?.trim() ?? '')?.[1];
    if (token !== undefined && isRunToken(token))
      response.setHeader('access-control-allow-origin', '*').setHeader('access-control-expose-headers', exposed);
    next();
  };
}
