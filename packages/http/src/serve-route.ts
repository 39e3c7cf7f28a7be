import type { Request, RequestHandler, Response } from 'express';
import type { TSchema } from 'typebox';
import { withoutEnd } from '@millrace/runtime/without-end.ts';
import { credentialsOf, type Credentials } from './requests/credentials.ts';
import {
  needsKey,
  successStatus,
  type Access,
  type Guarded,
  type HandlerInput,
  type Route,
  type UnparsedBody,
} from './define-route.ts';
import { knownBody, useErrorPage } from './error-page.ts';
import { AppError, notFound } from './errors/errors.ts';
import { parseQuery, refuseNulls, removeNuls } from './requests/parse-query.ts';
import { preferredType } from './requests/preferred-type.ts';
import { readForm, readTexts } from './requests/read-texts.ts';
import type { Hinted } from './hint.ts';
import { BytesReply, Reply, StreamReply } from './replies/reply.ts';
import { strangersBytesMax, type BodyOf, type RequestBody } from './requests/request-body.ts';
import { sendBytes } from './replies/send-bytes.ts';
import { sendStream } from './replies/send-stream.ts';
import { holdRest, type UnsentReplies } from './replies/unsent-replies.ts';
import { validator } from './validator.ts';

interface ServeOptions<Context> {
  context: Context;
  authorize: (route: Guarded, credentials: Credentials) => Promise<unknown>;
  afterCall?: (access: Access) => void;
  unsent: UnsentReplies;
}

/** One route as an Express handler, with the order of checks of contract/orgs-errors 1.3: access, object, body, query. */
export function serveRoute<Context>(
  route: Route<Context>,
  { context, authorize, afterCall, unsent }: ServeOptions<Context>,
  bodyOf: BodyOf,
): RequestHandler {
  const status = successStatus(route);
  const types = isJson(route.responses[status])
    ? ['application/json', ...Object.keys(route.otherTypes ?? {})]
    : undefined;
  const checkPath = pathCheck(route);
  const readBody =
    route.body && !route.unparsed
      ? bodyReader(route.body, {
          bytesMax: needsKey(route.access) ? undefined : strangersBytesMax,
          attrsEndAtLists: route.attrsEndAtLists === true,
        })
      : undefined;
  const readQuery = queryReader(route.query, route.bareQueryErrors ?? false);

  /** Body and query, in this order. */
  async function given(
    input: { rawQuery: Record<string, string>; request: Pick<Request, 'url' | 'headers'> },
    requestBody: RequestBody,
  ): Promise<{ body: unknown; query: unknown; unparsed?: UnparsedBody }> {
    try {
      if (route.unparsed) {
        const unparsed = { bytes: await requestBody.unparsed(), contentType: input.request.headers['content-type'] };
        return { body: undefined, unparsed, query: readQuery(input.rawQuery, input.request.url) };
      }
      const body = await readBody?.(requestBody);
      return { body, query: readQuery(input.rawQuery, input.request.url) };
    } catch (error) {
      route.refused?.(input as unknown as Parameters<NonNullable<typeof route.refused>>[0], error);
      throw error;
    }
  }

  async function callHandler(input: HandlerInput<string, never, never, never, never, never>): Promise<unknown> {
    try {
      return await route.handler(input);
    } finally {
      afterCall?.(route.access);
    }
  }

  return async (request, response) => {
    response.locals['operation'] = route.operationId;
    useErrorPage(response, route);
    const params = request.params as Record<string, string>;
    const rawQuery = parseQuery(request.url);
    const sentBody = bodyOf(request, response, route);
    const requestBody = route.errorPage ? knownBody(sentBody, response) : sentBody;
    const auth = await authorize(route, credentialsOf(request, rawQuery, requestBody));
    if (types !== undefined && preferredType(request.headers.accept, types) === undefined)
      throw new AppError('not_acceptable');
    checkPath(params);
    const requestId = String(response.getHeader('x-request-id'));
    const input = { params, auth, context, request, requestId, rawQuery, signal: goneSignal(response) };
    const found = await route.find?.(input as unknown as Parameters<NonNullable<typeof route.find>>[0]);
    const known = { ...input, found };
    const result = await callHandler({ ...known, ...(await given(known, requestBody)) } as unknown as Parameters<
      typeof callHandler
    >[0]);
    if (result instanceof BytesReply) return sendBytes(response, result, unsent);
    if (!(result instanceof StreamReply)) return holdRest(response, send(response, status, result), unsent);
    await sendStream(response, result);
    holdRest(response, [], unsent);
  };
}

function isJson(schema: TSchema | null | undefined): boolean {
  return schema !== null && schema !== undefined && !('contentMediaType' in schema);
}

function pathCheck(route: Route): (params: Record<string, string>) => void {
  const checks = Object.entries(route.params ?? {}).map(([name, schema]) => [name, validator(schema)] as const);
  return (params) => {
    if (Object.values(params).some((value) => value.includes('\0'))) throw new AppError('not_found');
    for (const [name, check] of checks) {
      try {
        check(params[name]);
      } catch {
        throw notFound(`There is no ${name.replaceAll('_', ' ')}`, params[name]);
      }
    }
  };
}

function bodyReader(
  schema: TSchema,
  { bytesMax, attrsEndAtLists }: { bytesMax: number | undefined; attrsEndAtLists: boolean },
): (requestBody: RequestBody) => Promise<unknown> {
  const check = validator(schema, { attrsEndAtLists });
  return async (requestBody) => {
    const parsed = await requestBody.parsed(bytesMax).catch((error: unknown) => {
      throw withHint(error, schema);
    });
    const body = parsed.kind === 'form' ? readForm(schema, parsed.fields) : parsed.value;
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
      delete (body as Record<string, unknown>)['personal_api_key']; // a credential, not a field of any route
    }
    check(body);
    return body;
  };
}

/** The error of a body that is no JSON, followed by the sentence of the schema about what to write. */
function withHint(error: unknown, { 'x-hint': hint }: Hinted): unknown {
  if (!(error instanceof AppError) || error.code !== 'parse_error' || hint === undefined) return error;
  return new AppError(error.code, { ...error.details, detail: `${withoutEnd(error.message, '.')}. ${hint}` });
}

function queryReader(
  schema: TSchema | undefined,
  bare: boolean,
): (raw: Record<string, string>, url: string) => unknown {
  const check = schema && validator(schema);
  return (raw, url) => {
    const cleaned = removeNuls(schema, url);
    refuseNulls(url, Object.keys(cleaned));
    if (schema === undefined) return {};
    const query = readTexts(schema, { ...raw, ...cleaned });
    try {
      check?.(query);
    } catch (error) {
      if (!bare || !(error instanceof AppError)) throw error;
      const name = error.details.attr ?? '';
      const detail = `Invalid ${name} parameter: ${(raw[name] ?? '').slice(0, 100)}${choicesOf(schema, name)}`;
      throw new AppError(error.code, { detail, attr: name, bare: true });
    }
    return query;
  };
}

function choicesOf(schema: TSchema, name: string): string {
  const { properties } = schema as { properties?: Record<string, { enum?: readonly string[] }> };
  const choices = properties?.[name]?.enum;
  return choices === undefined ? '' : `. Choose one of: ${choices.join(', ')}.`;
}

/** A signal that aborts when the connection closes before the reply is complete. */
function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new Error('the client went away'));
  });
  return gone.signal;
}

/** Sends it as JSON, and returns the bytes of its body. */
function send(response: Response, success: number, result: unknown): Uint8Array[] {
  const { status, body, headers } = (result instanceof Reply ? result : new Reply(success, result, {})) as Reply<
    number,
    unknown
  >;
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return [];
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { ...headers, 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
  return [bytes];
}
