import { expect } from '@jest/globals';
import type { Route } from '@millrace/http/define-route.ts';
import { openApiDocument } from '@millrace/http/openapi.ts';
import { ErrorReply } from '@millrace/http/errors/error-schema.ts';
import { validator } from '@millrace/http/validator.ts';
import { fieldValues, pathFixtures, queryFixtures } from './fixtures/route-fixtures.ts';
import { sampleOf, undeclared } from './schema-values.ts';
import type { Seed, TestApi } from './test-api.ts';
import type { Reply } from './test-request.ts';

interface RouteRequest {
  key?: string | undefined;
  /** In place of the fixtures' values. */
  params?: Readonly<Record<string, string>>;
  /** Query string, after the path. */
  query?: string;
  /** In place of the good body; texts are sent as they are. */
  body?: unknown;
  /** Media type of the body; default JSON. */
  type?: string;
  headers?: Readonly<Record<string, string>>;
  alias?: boolean;
  method?: Route['method'];
}

export type SendToRoute = (route: Route, request: RouteRequest) => Promise<Reply>;

/** A body that the route takes. */
export function goodBody({ body }: Pick<Route, 'body'>): unknown {
  return sampleOf(body ?? {}, fieldValues);
}

/** Names of the parameters of a path, each with the path up to it. */
export function parametersOf(path: string): { name: string; place: string }[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => ({
    name: match[1] ?? '',
    place: path.slice(0, match.index + match[0].length),
  }));
}

/** The values of a path's parameters that name things of the seed's. @throws when a fixture is missing */
export async function goodParams(api: TestApi, seed: Seed, path: string): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name, place } of parametersOf(path)) {
    const fixture = pathFixtures[place];
    if (fixture === undefined)
      throw new Error(`test/route-fixtures.ts needs an entry for ${place}: how is there something that it names?`);
    values[name] = await fixture.make(api, seed);
  }
  return values;
}

/** Sends requests to routes about objects of the seed; whatever the request, the reply must be as documented. */
export function createRouteSender(api: TestApi, seed: Seed): SendToRoute {
  // A refusal changes nothing, so the object of the path is created again only after a success.
  let made: { path: string; values: Record<string, string> } | undefined;
  async function wholeQuery({ operationId }: Route, query: string): Promise<string> {
    const needed = (await queryFixtures[operationId]?.(api, seed)) ?? {};
    const missing = Object.entries(needed).filter(([name]) => !query.includes(`${name}=`));
    const more = new URLSearchParams(missing).toString();
    return more === '' ? query : `${query}${query.includes('?') ? '&' : '?'}${more}`;
  }
  return async (
    route,
    {
      key,
      params = {},
      query = '',
      body,
      type = 'application/json',
      headers = {},
      alias = false,
      method = route.method,
    },
  ) => {
    if (made?.path !== route.path) made = { path: route.path, values: await goodParams(api, seed, route.path) };
    const values: Record<string, string> = { ...made.values, ...params };
    const path = route.path.replaceAll(/:(\w+)/g, (_all, name: string) => values[name] ?? '');
    const sending = api
      .as(key)
      .send(
        method,
        (alias ? path.replace('/api/projects/', '/api/environments/') : path) + (await wholeQuery(route, query)),
      );
    for (const [name, value] of Object.entries(headers)) sending.set(name, value);
    if (route.body) {
      const sent = body ?? goodBody(route);
      sending.set('Content-Type', type).send(typeof sent === 'string' ? sent : JSON.stringify(sent));
    }
    const response = await sending;
    if (response.status < 400 && method !== 'get') made = undefined;
    if (method === route.method) expectDocumented(route, response);
    return response;
  };
}

const checkError = validator(ErrorReply);

/** No fault of ours; errors in the one form; successes of the form that is declared for their status. */
function expectDocumented(route: Route, response: Reply): void {
  if (response.status >= 500) throw new Error(`${route.operationId} answered ${response.status}: ${response.text}`);
  expect([route.operationId, documentedStatuses(route)]).toEqual([
    route.operationId,
    expect.arrayContaining([String(response.status)]),
  ]);
  const schema = route.responses[response.status];
  if (response.status >= 400) {
    if (schema === null) return expect(response.text).toBe('');
    checkError(response.body);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    return;
  }
  if (schema === null) expect(response.text).toBe('');
  if (schema === null || schema === undefined || 'contentMediaType' in schema) return;
  const type = response.headers['content-type']?.split(';')[0] ?? '';
  expect([route.operationId, ['application/json', ...Object.keys(route.otherTypes ?? {})]]).toEqual([
    route.operationId,
    expect.arrayContaining([type]),
  ]);
  if (type !== 'application/json') return;
  validator(schema)(response.body);
  expect([route.operationId, undeclared(schema, response.body)]).toEqual([route.operationId, []]);
}

const documented = new Map<Route, string[]>();

function documentedStatuses(route: Route): string[] {
  const known = documented.get(route) ?? readDocumentedStatuses(route);
  documented.set(route, known);
  return known;
}

function readDocumentedStatuses(route: Route): string[] {
  const { paths } = openApiDocument([route], { title: '', version: '', description: '' }, '');
  const [operations = {}] = Object.values(paths);
  return Object.keys((operations[route.method] as { responses: object }).responses);
}
