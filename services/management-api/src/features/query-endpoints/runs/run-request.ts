import {
  Boolean,
  Integer,
  Object as ObjectType,
  Optional,
  Record,
  String as StringType,
  Unknown,
  Unsafe,
  type Static,
} from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { hint, unknownFieldHint } from '@millrace/http/hint.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { meantName } from '@millrace/query-language/hints/meant-name.ts';
import { clientQueryId } from '../../../queries/execute/client-query-id.ts';
import { streamFormats } from '../../../queries/stream/stream-format.ts';
import { variablesHere } from '../../../queries/definition/variables.ts';
import { chartFormats } from './chart-reply.ts';
import { versionNumber } from '../endpoint.ts';

const int32Max = 2_147_483_647;
/** `blocking` and `force_blocking` are older spellings, still accepted (contract/endpoints 4.1). */
const refreshChoices = ['cache', 'force', 'direct', 'blocking', 'force_blocking'] as const;
const refreshDescription =
  '`cache` (as without it): a cached result while it is fresh. `force`: now, of the table where the version is materialized. `direct`: now, of the events, of a materialized version. `blocking` is `cache`, `force_blocking` is `force`.';
const refresh = Unsafe<(typeof refreshChoices)[number] | null>({
  type: ['string', 'null'],
  enum: [...refreshChoices, null],
  description: refreshDescription,
});

const meantField = meantName({
  variables: ['variables_values', 'variables_override', 'variable_values', 'values', 'params', 'parameters'],
  version: ['endpoint_version'],
  limit: [],
  offset: [],
  refresh: [],
  debug: [],
  client_query_id: ['query_id'],
});
const variablesHint = 'Write {"variables": {"plan": "pro"}}.';

/** Advice for a field of the body that is none. */
function hintOfField(name: string): string {
  if (name === 'format' || name === 'csv') return `Write it in the URL: ?${name === 'csv' ? 'csv=raw' : 'format=csv'}.`;
  const meant = meantField(name);
  if (meant === 'variables') return variablesHint;
  const orField = meant === undefined ? '' : `Write ${meant}. `;
  return `${orField}If it is a variable, write {"variables": {%s: …}}.`;
}

/** Body of a run (spec 4.3, contract/endpoints 4.1). */
export const RunBody = ObjectType(
  {
    client_query_id: Optional(nullable(clientQueryId())),
    debug: Optional(nullable(Boolean())),
    filters_override: Optional(nullable(Record(StringType(), Unknown()))),
    limit: Optional(nullable(Integer({ minimum: 1, maximum: int32Max }))),
    offset: Optional(nullable(Integer({ minimum: 0, maximum: int32Max }))),
    refresh: Optional(refresh),
    variables: Optional(
      nullable(
        Record(StringType(), Unknown(), {
          ...hint('Write each with its value: {"variables": {"plan": "pro"}}.'),
          examples: [{ plan: 'pro' }],
        }),
      ),
    ),
    version: Optional(nullable(versionNumber())),
  },
  {
    title: 'EndpointRun',
    additionalProperties: false,
    ...unknownFieldHint(hintOfField),
  },
);

/** Formats of a reply; `csv` and `ndjson` are streams, those of `svg` charts. */
export const runFormats = ['json', 'objects', ...streamFormats, ...chartFormats] as const;
export type RunFormat = (typeof runFormats)[number];

/** Query parameters of a run, by GET and by POST. Variables may also come one by one: `variables[name]=value` or `name=value`. */
export const RunQuery = ObjectType({
  version: Optional(versionNumber()),
  limit: Optional(Integer({ minimum: 1, maximum: int32Max })),
  offset: Optional(Integer({ minimum: 0, maximum: int32Max })),
  refresh: Optional(StringType({ enum: [...refreshChoices], description: refreshDescription })),
  debug: Optional(Boolean()),
  client_query_id: Optional(clientQueryId({ examples: ['panel-1'] })),
  variables: Optional(
    StringType({ description: 'A JSON object: variable name to value.', examples: ['{"plan": "pro"}'] }),
  ),
  csv: Optional(
    StringType({
      enum: ['safe', 'raw'],
      description: 'With `format=csv`: `raw` does not change texts that spreadsheets take for formulas. For programs.',
    }),
  ),
  format: Optional(
    StringType({
      enum: [...runFormats],
      description:
        '`json`: rows as lists, the default. `objects`: each row an object of its columns. `csv`, `ndjson`: streams the rows as they are read, all of them, past the cap of other results. `svg`, `svg-light`, `svg-dark`: a chart of an insight, or of SQL with two columns.',
    }),
  ),
});

/** Names with a meaning of their own in the URL. Only `variables[name]` can set a variable of such a name. */
const knownParameters: ReadonlySet<string> = new Set([...Object.keys(RunQuery.properties), 'personal_api_key']);
const inBrackets = /^variables\[(.+)\]$/s;

/** One run, from body and URL. */
export interface RunRequest {
  version: number | undefined;
  limit: number | undefined;
  offset: number | undefined;
  refresh: 'cache' | 'force' | 'direct';
  debug: boolean;
  clientQueryId: string | null;
  /** CSV for programs: texts are not changed for spreadsheets. */
  isRawCsv: boolean;
  /** `filters_override`, which changes an insight alone. */
  filtersOverride: Readonly<Record<string, unknown>> | null;
  /** Values from JSON. */
  variables: Readonly<Record<string, unknown>>;
  /** Values as text from the URL: `variables[name]=value` or `name=value`. */
  textVariables: Readonly<Record<string, string>>;
  /** The body has variables, which hide those of the URL. */
  hasBodyVariables: boolean;
  /** Parameters of the URL that must be names of variables. */
  parameters: readonly string[];
}

/**
 * Body and query string as one request; the body wins (contract/endpoints 4.1). Pure.
 * @throws {AppError} 400: offset without limit, `variables` in the query string that is not a JSON object
 */
export function readRunRequest(
  body: Static<typeof RunBody> | undefined,
  query: Static<typeof RunQuery>,
  rawQuery: Readonly<Record<string, string>>,
): RunRequest {
  const parameters = Object.keys(rawQuery).filter((name) => !knownParameters.has(name) && !inBrackets.test(name));
  const limit = body?.limit ?? query.limit;
  const offset = body?.offset ?? query.offset;
  if (offset !== undefined && limit === undefined) {
    throw new AppError('invalid_input', {
      attr: 'offset',
      detail: 'offset requires limit.',
      logged: 'offset requires limit.',
      bare: true,
    });
  }
  return {
    version: body?.version ?? query.version,
    limit,
    offset,
    refresh: refreshOf(body?.refresh ?? query.refresh ?? 'cache'),
    debug: body?.debug ?? query.debug ?? false,
    clientQueryId: body?.client_query_id ?? query.client_query_id ?? null,
    isRawCsv: query.csv === 'raw',
    filtersOverride: body?.filters_override ?? null,
    variables: body?.variables ?? readVariables(query.variables),
    textVariables: body?.variables ? {} : readTextVariables(rawQuery, parameters),
    hasBodyVariables: (body?.variables ?? null) !== null,
    parameters,
  };
}

function refreshOf(text: string): 'cache' | 'force' | 'direct' {
  if (text === 'force' || text === 'force_blocking') return 'force';
  return text === 'direct' ? 'direct' : 'cache';
}

function readVariables(text: string | undefined): Record<string, unknown> {
  if (text === undefined || text === '') return {};
  const detail = 'variables must be a JSON object.';
  const invalid = new AppError('invalid_input', { attr: 'variables', detail, logged: detail });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid;
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid;
  return value as Record<string, unknown>;
}

function readTextVariables(
  rawQuery: Readonly<Record<string, string>>,
  parameters: readonly string[],
): Record<string, string> {
  const texts = new Map(parameters.map((name) => [name, rawQuery[name] ?? '']));
  for (const [key, value] of Object.entries(rawQuery)) {
    const name = inBrackets.exec(key)?.[1];
    if (name !== undefined) texts.set(name, value);
  }
  return Object.fromEntries(texts);
}

/**
 * Refuses misspelt and hidden parameters, so that a run never ignores one in silence. Pure.
 * @throws {AppError} 400 on the first parameter of the URL that is no variable; it names the endpoint's variables
 * @throws {AppError} 400 on the first parameter of the URL that variables of the body hide
 */
export function refuseUnknownParameters(
  { parameters, hasBodyVariables }: Pick<RunRequest, 'parameters' | 'hasBodyVariables'>,
  variables: readonly string[],
): void {
  const unknown = parameters.find((name) => !variables.includes(name));
  const [first] = parameters;
  if (unknown === undefined && first !== undefined && hasBodyVariables) throw hiddenParameter(first);
  if (unknown === undefined) return;
  throw new AppError('invalid_input', {
    attr: unknown.slice(0, 100),
    detail: `Unknown parameter ${JSON.stringify(unknown.slice(0, 100))}. ${variablesHere(variables)}`,
    logged: 'Unknown parameter.',
  });
}

const hiddenParameter = (name: string): AppError =>
  new AppError('invalid_input', {
    attr: name.slice(0, 100),
    detail: `${JSON.stringify(name.slice(0, 100))} is in the URL, but the variables of the body replace those of the URL. Write it in the body.`,
    logged: 'The variables of the body replace those of the URL.',
  });
