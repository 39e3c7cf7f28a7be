import { String as StringType, type TSchema } from 'typebox';
import { exampleOf } from './example-of.ts';
import { errorTable, type ErrorCode } from './errors/error-table.ts';
import { ErrorReply } from './errors/error-schema.ts';
import { hintKeywords } from './hint.ts';
import { needsKey, successStatus, takesRunTokens, type Route } from './define-route.ts';

/** Description of the whole API in the document. */
export interface ApiInfo {
  title: string;
  version: string;
  description: string;
}

/** A group of operations; readers of the document show the groups in the order of their list. */
export interface Tag {
  name: string;
  description: string;
}

const personalApiKey = { type: 'http', scheme: 'bearer', description: 'A personal API key (`phx_…`).' };
const runToken = {
  type: 'http',
  scheme: 'bearer',
  description: 'A run token (`phr_…`) of the endpoint that the path names: it needs no scope.',
};

/**
 * OpenAPI 3.1 document of the routes. Schemas with a `title` become components of that name; two different schemas with
 * one title are an error. Examples of path parameters, bodies and successful replies are made of their schemas
 * (`exampleOf`). @throws when a schema does not say enough for one
 */
export function openApiDocument(routes: readonly Route[], info: ApiInfo, serverUrl: string, tags: readonly Tag[] = []) {
  const components = new Map<string, unknown>();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operation(route, components) };
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: serverUrl }],
    tags,
    paths,
    components: {
      schemas: Object.fromEntries(components),
      securitySchemes: { personalApiKey, ...(routes.some(({ access }) => takesRunTokens(access)) && { runToken }) },
    },
  };
}

function operation(route: Route, components: Map<string, unknown>) {
  const { access, description } = route;
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(description === undefined ? {} : { description }),
    tags: [route.tag],
    security: needsKey(access) ? [{ personalApiKey: [] }, ...(takesRunTokens(access) ? [{ runToken: [] }] : [])] : [],
    ...(typeof access === 'object' ? { 'x-required-scopes': [access.scope].filter((scope) => scope !== null) } : {}),
    parameters: [...pathParameters(route), ...queryParameters(route, components)],
    ...(route.body
      ? {
          requestBody: {
            required: hasRequired(route.body),
            content: bodyContent(route, hoist(route.body, components), exampleOf(route.body, route.operationId)),
          },
        }
      : {}),
    responses: { ...successes(route, components), ...failures(route, components) },
  };
}

function pathParameters({ path, params, operationId }: Route) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const { description, ...schema } = (params?.[name] ?? commonParameters[name] ?? StringType()) as PathSchema;
    const example = exampleOf(schema, `${name} of ${operationId}`);
    return { name, in: 'path', required: true, ...(description === undefined ? {} : { description }), schema, example };
  });
}

type PathSchema = TSchema & { description?: string };

const current = 'or `@current`: the one that is current for the user of the key.';
const commonParameters: Readonly<Record<string, TSchema>> = {
  project_id: StringType({ description: `Number of the project, ${current}`, examples: ['@current'] }),
  organization_id: StringType({ description: `Id of the organization, ${current}`, examples: ['@current'] }),
};

function queryParameters(route: Route, components: Map<string, unknown>) {
  const { properties = {}, required = [] } = (route.query ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: hoist(schema, components),
  }));
}

/** Ordinary writes take forms too (contract/orgs-errors 1.1). */
function bodyContent({ jsonOnly }: Route, schema: unknown, example: unknown) {
  const types = ['application/json', ...(jsonOnly ? [] : ['application/x-www-form-urlencoded', 'multipart/form-data'])];
  return Object.fromEntries(types.map((type) => [type, { schema, example }]));
}

function hasRequired(schema: TSchema): boolean {
  return ((schema as { required?: string[] }).required ?? []).length > 0;
}

function successes(route: Route, components: Map<string, unknown>) {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => {
      if (schema === null) return [status, { description: 'No body.' }];
      const type = (schema as { contentMediaType?: string }).contentMediaType ?? 'application/json';
      const others = Object.entries(Number(status) === successStatus(route) ? (route.otherTypes ?? {}) : {});
      const content = Object.fromEntries(
        [[type, schema] as const, ...others].map(([name, body]) => [
          name,
          { schema: hoist(body, components), ...(isPage(body) ? {} : { example: exampleOf(body, route.operationId) }) },
        ]),
      );
      return [status, { description: 'Success.', content }];
    }),
  );
}

/** A page or a file, which no example shows. */
const isPage = (schema: TSchema): boolean => 'contentMediaType' in schema;

/** Error codes that a route can reply with: those it names and those that follow from its declaration. */
function errorCodesOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = [...(route.errors ?? [])];
  if (needsKey(route.access))
    codes.push('not_authenticated', 'authentication_failed', 'permission_denied', 'throttled', 'unavailable');
  if (route.path.includes(':')) codes.push('not_found');
  if (Object.values(route.responses).some((schema) => schema !== null)) codes.push('not_acceptable');
  codes.push('invalid_input'); // also of what no route knows: a NUL in the query string
  if (route.body) codes.push('parse_error', 'request_too_large', 'unsupported_media_type');
  return codes;
}

function failures(route: Route, components: Map<string, unknown>) {
  const byStatus = new Map<number, [ErrorCode, ...ErrorCode[]]>();
  for (const code of errorCodesOf(route)) {
    const codes = byStatus.get(errorTable[code].status);
    if (codes === undefined) byStatus.set(errorTable[code].status, [code]);
    else codes.push(code);
  }
  const schema = hoist(ErrorReply, components);
  return Object.fromEntries(
    [...byStatus].map(([status, [code, ...others]]) => {
      const { type, detail } = errorTable[code];
      const content = {
        'application/json': { schema, example: { type, code, detail, attr: null } },
        ...(route.errorPage && { 'text/html': { schema: errorPage } }),
      };
      return [status, { description: `Codes: ${[code, ...others].join(', ')}.`, content }];
    }),
  );
}

const errorPage = { type: 'string', contentMediaType: 'text/html', description: 'For clients that prefer it to JSON.' };

const hidden: ReadonlySet<string> = new Set(hintKeywords);

/** The schema without hints, with every titled part replaced by a reference to its component. */
function hoist(schema: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => hoist(part, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const shown = Object.entries(schema).filter(([key]) => !hidden.has(key));
  const parts = Object.fromEntries(
    shown.map(([key, part]) => [key, key === 'examples' ? part : hoist(part, components)]),
  );
  const title: unknown = parts['title'];
  if (typeof title !== 'string') return parts;
  const known = components.get(title);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(parts))
    throw new Error(`two schemas are called ${title}`);
  components.set(title, parts);
  return { $ref: `#/components/schemas/${title}` };
}
