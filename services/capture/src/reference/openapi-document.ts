import { release } from '@millrace/runtime/release.ts';
import { eventBytesMax, eventDepthMax, eventsPerRequestMax } from '@millrace/contracts/limits.ts';
import { inMebibytes } from '../http/body-limits.ts';
import type { ErrorForm, Operation, Parameter, Schema } from '../http/operation.ts';
import type { ErrorReplyName } from '../http/error-replies.ts';
import { errorReply } from '../http/replies.ts';
import type { Method, Route } from '../http/route.ts';
import { exampleOf } from './example-of.ts';
import { schemas } from './schemas.ts';
import { v0Errors } from './v0-errors.ts';

/** Limits of bodies that settings change, in bytes. */
export interface BodyLimits {
  bodyBytesMax: number;
  inflatedBytesMax: number;
}

/** The name of the API. */
export const title = 'Millrace capture';

/** The groups of operations, in the order in which somebody new needs them. */
const tags: readonly { name: Operation['tag']; description: string }[] = [
  { name: 'Events', description: 'Send events, one or many at a time, in each form that SDKs send them in.' },
  { name: 'Events, V1', description: 'Send events and get a result for each.' },
  {
    name: 'For SDKs',
    description:
      'The script for web sites and its settings. Feature flags and recordings are answered, and there are none.',
  },
  { name: 'Reference', description: 'This document.' },
];

const describeAll = ({
  bodyBytesMax,
  inflatedBytesMax,
}: BodyLimits): string => `Takes events from SDKs. The rules are in docs/capture.md.

To try it out here, write the token of your project in place of \`phc_…\`; for V1, press *Authorize* and paste it.

Limits: a body has at most ${inMebibytes(bodyBytesMax)} as sent and ${inMebibytes(inflatedBytesMax)} decompressed, ${eventsPerRequestMax.toLocaleString('en')} events, and each event
${eventBytesMax.toLocaleString('en')} bytes and ${eventDepthMax} levels.

Each path is served with and without a slash at its end, and OPTIONS of each is a CORS preflight. \`X-Request-Id\` comes back, but with scripts. Replies with 429 and 503 have
\`Retry-After\`. For load balancers there are \`/\`, \`/_liveness\` and \`/_readiness\`.`;

/** Errors of requests that are no HTTP, or have not come to the end of their headers; always in the form of v0. */
const beforeRoutes = ['malformedRequest', 'stalled', 'headersTooLarge'] as const satisfies readonly ErrorReplyName[];

/** The OpenAPI 3.1 document of the routes. Addresses in it are relative to its own, so that it is right behind each proxy. */
export function openApiDocument(routes: readonly Route[], limits: BodyLimits) {
  return {
    openapi: '3.1.0',
    info: { title, version: release, description: describeAll(limits) },
    servers: [{ url: '.' }],
    tags,
    paths: Object.fromEntries(
      routes.map((route) => [
        route.path.replaceAll(/:(\w+)/g, '{$1}'),
        Object.fromEntries(route.methods.map((method) => [method.toLowerCase(), describe(route, method)])),
      ]),
    ),
    components: {
      schemas,
      securitySchemes: {
        projectToken: { type: 'http', scheme: 'bearer', description: 'The token of a project (`phc_…`).' },
      },
    },
  };
}

function describe({ path, access, operation }: Route, method: Method) {
  const { tag, summary, description: more, hasBearer, body } = operation;
  return {
    operationId: [method.toLowerCase(), ...(path.match(/\w+/g) ?? [])].join('_'),
    tags: [tag],
    summary,
    ...(more !== undefined && { description: more }),
    security: hasBearer === true ? [{ projectToken: [] }] : [],
    parameters: parametersOf(path, operation, method),
    ...(body !== undefined &&
      method === 'POST' && { requestBody: { required: access === 'project-token', content: contentOf(body) } }),
    responses: responsesOf(operation, method),
  };
}

function parametersOf(path: string, { params, query, queryOfGet, headers }: Operation, method: Method): unknown[] {
  const listed = (location: string, parameters: Readonly<Record<string, Parameter>> = {}): unknown[] =>
    Object.entries(parameters).map(([name, parameter]) => ({ name, in: location, ...parameter }));
  const ofPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(params?.[name] ?? { schema: { type: 'string' } }),
  }));
  return [
    ...ofPath,
    ...listed('query', { ...query, ...(method !== 'POST' && queryOfGet) }),
    ...listed('header', headers),
  ];
}

/** Several schemas of one status stand side by side. */
function responsesOf({ replies, repliesWith = 'application/json', errors }: Operation, method: Method) {
  const bodies = new Map<number, Schema[]>();
  const add = (status: number, schemas: readonly Schema[]): void =>
    void bodies.set(status, [...(bodies.get(status) ?? []), ...schemas]);
  for (const [status, schema] of Object.entries(replies)) add(Number(status), schema === null ? [] : [schema]);
  const own = [...(errors?.names ?? []), ...(method === 'GET' ? (errors?.ofGet ?? []) : [])].map((name) =>
    coded(name, errors?.form ?? v0Errors),
  );
  const failures = Map.groupBy([...own, ...beforeRoutes.map((name) => coded(name, v0Errors))], ({ status }) => status);
  for (const [status, ofStatus] of failures) {
    add(
      status,
      [...Map.groupBy(ofStatus, ({ form }) => form)].map(([form, errors]) =>
        form.bodyWith([...new Set(errors.map(({ code }) => code))]),
      ),
    );
  }
  return Object.fromEntries(
    [...bodies].map(([status, list]) => {
      const [only, ...others] = list;
      const errors = failures.get(status) ?? [];
      const type = status in replies ? repliesWith : 'application/json';
      const content =
        only === undefined || method === 'HEAD'
          ? {}
          : { content: contentOf({ [type]: others.length === 0 ? only : { anyOf: list } }, errors[0]?.body) };
      return [status, { description: describedBy(errors.map(({ code }) => code)), ...content }];
    }),
  );
}

function coded(name: ErrorReplyName, form: ErrorForm) {
  return { status: errorReply(name).status, code: form.codeOf(name), body: form.bodyOf(name), form };
}

function describedBy(codes: readonly string[]): string {
  return codes.length === 0 ? 'Success.' : `Codes: ${[...new Set(codes)].join(', ')}.`;
}

/** `sent`: the example, where no schema has it. */
function contentOf(schemas: Readonly<Record<string, Schema>>, sent?: unknown) {
  return Object.fromEntries(
    Object.entries(schemas).map(([type, schema]) => {
      const example = sent ?? exampleOf(schema);
      return [type, { schema, ...(example !== undefined && { example }) }];
    }),
  );
}
