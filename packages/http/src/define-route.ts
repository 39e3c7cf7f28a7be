import type { Request } from 'express';
import type { MembershipLevel } from '@millrace/contracts/membership-levels.ts';
import type { Scope } from '@millrace/contracts/scopes.ts';
import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from './errors/error-table.ts';
import type { AppError } from './errors/errors.ts';
import type { BytesReply, Reply, StreamReply } from './replies/reply.ts';
import type { Form } from './requests/parse-body.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Callers of a route: anyone; whoever knows a project's token (checked by the handler); any valid key that reaches what
 * the path names; or keys that hold the scope, of members of at least `level`. `scope: null`: no key may
 * (contract/orgs-errors 1.3). `runTokens`: also the tokens of the endpoint that the path names, from browsers too.
 */
export type Access =
  | 'public'
  | 'project-token'
  | 'personal-key'
  | { readonly scope: Scope | null; readonly level?: MembershipLevel; readonly runTokens?: true };

/** Names of rates beside the general one. */
type Throttle = 'symbol_sets' | 'runs' | 'text_repr' | 'summarization' | 'translation';

/** The part of a route's declaration about its callers and their rates. */
export type Guarded = Pick<Route, 'access' | 'path' | 'throttle'>;

/** True when a call needs a personal key. */
export function needsKey(access: Access): access is Exclude<Access, 'public' | 'project-token'> {
  return access !== 'public' && access !== 'project-token';
}

/** True when a call may also be made with a run token. */
export function takesRunTokens(access: Access): boolean {
  return typeof access === 'object' && access.runTokens === true;
}

/** `{ project_id: string, name: string }` of `/api/projects/:project_id/endpoints/:name`. */
type PathParams<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Record<Name, string> & PathParams<Tail>
    : Record<Rest, string>
  : unknown;

/** Input of every step of a route. */
interface RouteInput<Path extends string, Auth, Context> {
  readonly params: Readonly<PathParams<Path>>;
  readonly auth: Auth;
  readonly context: Context;
  /** Raw request, for what no schema covers (host, headers). */
  readonly request: Request;
  readonly requestId: string;
  /** Query parameters as texts, the last one of each name. */
  readonly rawQuery: Readonly<Record<string, string>>;
  /** Aborts when the client goes away before its reply is complete. */
  readonly signal: AbortSignal;
}

/** A body after decompression, in the media type that its request says. */
export interface UnparsedBody {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

export interface HandlerInput<Path extends string, Query, Body, Found, Auth, Context> extends RouteInput<
  Path,
  Auth,
  Context
> {
  readonly query: Query;
  readonly body: Body;
  /** The body as JSON text, of a route that is `unparsed`; else undefined. */
  readonly unparsed?: UnparsedBody;
  /** Result of `find`. */
  readonly found: Found;
}

/** JSON schema by status; null: no body. Exactly one of them is the success, or 405 is the only one. */
export type Responses = { readonly [status: number]: TSchema | null };

type BodyOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

/**
 * Results of a handler: the success body as it is, or a `reply` with one of the declared statuses, or bytes, at once or
 * bit by bit.
 */
type HandlerResult<R extends Responses> =
  { [S in keyof R]: BodyOf<R[S]> | Reply<S & number, BodyOf<R[S]>> }[keyof R] | BytesReply | StreamReply;

interface Declaration<
  Path extends string,
  Query extends TSchema,
  Body extends TSchema,
  R extends Responses,
  Found,
  Auth,
  Context,
> {
  /** `snake_case` name of the operation; also in logs and metrics. */
  operationId: string;
  method: Method;
  path: Path;
  access: Access;
  summary: string;
  description?: string;
  /** Groups operations on the reference page. */
  tag: string;
  /** Checks of path parameters, by name; a value that fails is an unknown object: 404. */
  params?: { readonly [Name in keyof PathParams<Path>]?: TSchema };
  /** Checked and read from texts; unknown parameters are ignored. */
  query?: Query;
  /** Query errors also carry `error`, and name the value (contract/endpoints 4.6). */
  bareQueryErrors?: boolean;
  /** Checked as JSON, or read from a form; without it the body is not read. */
  body?: Body;
  /** The handler parses and checks the body, of up to `largeBodyBytesMax` bytes: it gets `unparsed` and no `body`, whose schema describes it. */
  unparsed?: true;
  /** Forms are refused with 415 (contract/orgs-errors 1.1). */
  jsonOnly?: true;
  /** `attr` of an error inside a list is the list; the detail names the item (contract/decisions 62). */
  attrsEndAtLists?: true;
  /** Name of the rate that counts its calls; default: the general one (contract/orgs-errors 1.6). */
  throttle?: Throttle;
  responses: R;
  /** Media types that the success has beside its own when the client accepts them, each with the schema of its body. */
  otherTypes?: Readonly<Record<string, TSchema>>;
  /** Errors beside the ones that follow from access, parameters, query and body. */
  errors?: readonly ErrorCode[];
  /**
   * The page of an error, which keeps its status and headers, for clients that prefer HTML to JSON, such as browsers. `form`: the fields of the
   * body, credentials too; empty when it was no form, or was not read.
   */
  errorPage?: (error: AppError, form: Form) => BytesReply;
  /** Looks up the object of the path, before body and query are checked (contract/orgs-errors 1.3). @throws not_found */
  find?: (input: RouteInput<Path, Auth, Context>) => Promise<Found>;
  /**
   * Called when the body or the query is refused after `find` has found the object, before the reply is sent. Must not
   * throw.
   */
  refused?: (input: RouteInput<Path, Auth, Context> & { readonly found: Found }, error: unknown) => void;
  handler: (
    input: HandlerInput<Path, Static<Query>, Static<Body>, Found, Auth, Context>,
  ) => Promise<HandlerResult<R>> | HandlerResult<R>;
}

type ErasedInput = HandlerInput<string, never, never, never, never, never>;

/** A declared route, as mounting, documentation and tests read it. It goes wherever there is at least the context that it needs. */
export interface Route<Context = never> {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly params?: Readonly<Record<string, TSchema>>;
  readonly query?: TSchema;
  readonly bareQueryErrors?: boolean;
  readonly body?: TSchema;
  readonly unparsed?: true;
  readonly jsonOnly?: true;
  readonly attrsEndAtLists?: true;
  readonly throttle?: Throttle;
  readonly responses: Responses;
  readonly otherTypes?: Readonly<Record<string, TSchema>>;
  readonly errors?: readonly ErrorCode[];
  readonly errorPage?: (error: AppError, form: Form) => BytesReply;
  readonly find?: (input: ErasedInput) => Promise<unknown>;
  readonly refused?: (input: ErasedInput, error: unknown) => void;
  readonly handler: (input: ErasedInput) => unknown;
  /** Never set: a type that ties the route to the context that it needs. */
  readonly worksWith?: (context: Context) => void;
}

/**
 * Makes `defineRoute` for handlers that are given `Auth` (who calls, and for what) and `Context` (the service's parts).
 * One declaration is the validation, the handler's types, the access check, the documentation and the generated tests.
 */
export function routeDefiner<Auth, Context>() {
  return function defineRoute<
    const Path extends string,
    R extends Responses,
    Query extends TSchema = TSchema,
    Body extends TSchema = TSchema,
    Found = undefined,
  >(declaration: Declaration<Path, Query, Body, R, Found, Auth, Context>): Route<Context> {
    return declaration as unknown as Route<Context>;
  };
}

/** True of an operation that the interface names and always refuses: its one answer is 405. */
export function isNeverAllowed({ responses }: Pick<Route, 'responses'>): boolean {
  return Object.keys(responses).join() === '405';
}

const besideSuccess: readonly number[] = [304, 308];

/**
 * The one status below 400 that a route declares, beside 304 for what the client has already and 308 for what is elsewhere; 405 of one that is never allowed.
 * @throws when it declares none or several
 */
export function successStatus(route: Route): number {
  const statuses = Object.keys(route.responses)
    .map(Number)
    .filter((status) => (status < 400 && !besideSuccess.includes(status)) || isNeverAllowed(route));
  const [status] = statuses;
  if (status === undefined || statuses.length > 1)
    throw new Error(`${route.operationId} must declare exactly one success`);
  return status;
}
