import type { Request, RequestHandler, Response } from 'express';
import type { TSchema } from 'typebox';
import { AppError } from './errors.ts';
import { successStatus, type Access, type HandlerInput, type Route } from './define-route.ts';
import { bodyKind, parseBody } from './parse-body.ts';
import { parseQuery } from './parse-query.ts';
import { readTexts } from './read-texts.ts';
import { BytesReply, Reply } from './reply.ts';
import { validator } from './validator.ts';

/** Where a request may carry its key, and what it asks for. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The body when it is a JSON object or a form, else undefined; never throws. */
  readonly body: () => Readonly<Record<string, unknown>> | undefined;
}

interface ServeOptions<Context> {
  context: Context;
  authorize: (access: Access, path: string, credentials: Credentials) => Promise<unknown>;
}

/** One route as an Express handler, with the order of checks of contract/orgs-errors 1.3: access, object, body, query. */
export function serveRoute<Context>(route: Route<Context>, { context, authorize }: ServeOptions<Context>): RequestHandler {
  const status = successStatus(route);
  const checkPath = pathCheck(route);
  const readBody = route.body ? bodyReader(route.body) : undefined;
  const readQuery = route.query ? queryReader(route.query, route.bareQueryErrors ?? false) : undefined;

  return async (request, response) => {
    response.locals['operation'] = route.operationId;
    const params = request.params as Record<string, string>;
    const rawQuery = parseQuery(request.url);
    const auth = await authorize(route.access, route.path, credentialsOf(request, params, rawQuery));
    checkPath(params);
    const requestId = String(response.getHeader('x-request-id'));
    const input = { params, auth, context, request, requestId, rawQuery, signal: goneSignal(response) };
    const found = await route.find?.(input as unknown as Parameters<NonNullable<typeof route.find>>[0]);
    const body = readBody?.(request);
    const query = readQuery?.(rawQuery) ?? {};
    const full = { ...input, found, body, query } as unknown as HandlerInput<string, never, never, never, never, never>;
    send(response, status, await route.handler(full));
  };
}

function pathCheck(route: Route<never> | Route): (params: Record<string, string>) => void {
  const checks = Object.entries(route.params ?? {}).map(([name, schema]) => [name, validator(schema)] as const);
  return (params) => {
    if (Object.values(params).some((value) => value.includes('\0'))) throw new AppError('not_found');
    for (const [name, check] of checks) {
      try {
        check(params[name]);
      } catch (cause) {
        throw new AppError('not_found', { cause });
      }
    }
  };
}

function credentialsOf(request: Request, params: Record<string, string>, query: Record<string, string>): Credentials {
  return {
    authorization: request.headers.authorization,
    params,
    query,
    body: () => {
      try {
        const body = parseBody(bodyBytes(request), bodyKind(request.headers['content-type']));
        return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined;
      } catch (error) {
        if (error instanceof AppError) return undefined; // no credential there; what is wrong with the body is said later
        throw error;
      }
    },
  };
}

function bodyBytes(request: Request): Uint8Array {
  const body: unknown = request.body;
  return body instanceof Uint8Array ? body : new Uint8Array();
}

function bodyReader(schema: TSchema): (request: Request) => unknown {
  const check = validator(schema);
  return (request) => {
    const raw = bodyBytes(request);
    const kind = raw.length === 0 ? 'json' : bodyKind(request.headers['content-type']);
    let body = parseBody(raw, kind);
    if (kind === 'form') body = readTexts(schema, body as Record<string, string>);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
      delete (body as Record<string, unknown>)['personal_api_key']; // a credential, not a field of any route
    }
    check(body);
    return body;
  };
}

function queryReader(schema: TSchema, bare: boolean): (raw: Record<string, string>) => unknown {
  const check = validator(schema);
  return (raw) => {
    const query = readTexts(schema, raw);
    try {
      check(query);
    } catch (error) {
      if (!bare || !(error instanceof AppError)) throw error;
      const name = error.details.attr ?? '';
      const detail = `Invalid ${name} parameter: ${(raw[name] ?? '').slice(0, 100)}`;
      throw new AppError(error.code, { detail, attr: name, bare: true });
    }
    return query;
  };
}

/** A signal that aborts when the connection closes before the reply is complete. */
function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new Error('the client went away'));
  });
  return gone.signal;
}

function send(response: Response, success: number, answer: unknown): void {
  if (answer instanceof BytesReply) {
    const length = answer.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    response.writeHead(answer.status, { ...answer.headers, 'content-length': length });
    for (const chunk of answer.chunks) response.write(chunk);
    response.end();
    return;
  }
  const { status, body, headers } = (answer instanceof Reply ? answer : new Reply(success, answer, {})) as Reply<number, unknown>;
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { ...headers, 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}
