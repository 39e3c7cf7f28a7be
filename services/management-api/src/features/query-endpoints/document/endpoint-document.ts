import type { RangePair } from '@millrace/query-language/materialization/plan.ts';
import { insightKindOf } from '../../../queries/insights/insight-kinds.ts';
import type { DeclaredVariable } from '../../../queries/definition/variables.ts';
import type { StoredEndpoint, StoredVersion } from '../endpoint.ts';
import { filterSchemas } from './filter-schemas.ts';
import { runResult } from './run-result-schema.ts';
import { nullableString, reference, string, type Json } from './schema-texts.ts';

const variableSchemas: Readonly<Record<DeclaredVariable['type'], Json>> = {
  String: string,
  Number: { type: 'number' },
  Boolean: { type: 'boolean' },
  List: { type: 'array', items: string },
  Date: { ...string, format: 'date' },
  Any: {},
};

/** Needs of runs of the version. */
interface Needs {
  variables: readonly DeclaredVariable[];
  /** Variables that its table compares with buckets, among others; null: it is not materialized. */
  ranges: readonly RangePair[] | null;
}

/** The OpenAPI 3.0 description of running one version of an endpoint (contract/endpoints 8). Pure. */
export function endpointDocument(
  { endpoint }: StoredEndpoint,
  version: StoredVersion,
  { variables, ranges }: Needs,
  baseUrl: string,
): Json {
  const description =
    (version.description || `Runs the query endpoint "${endpoint.name}".`) +
    (ranges === null ? '' : `\n\n${tableSentence(version)}`);
  const isInsight = insightKindOf(version.query as Readonly<Record<string, unknown>>) !== undefined;
  const required = variables.filter(({ fallback }) => fallback === undefined).map(({ name }) => name);
  return {
    openapi: '3.0.3',
    info: { title: endpoint.name, description, version: String(version.version) },
    servers: [{ url: baseUrl }],
    paths: {
      [`/api/projects/${endpoint.projectId}/endpoints/${endpoint.name}/run`]: {
        post: operation(endpoint.name, description, required.length > 0),
      },
    },
    components: {
      securitySchemes: {
        PersonalAPIKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A personal API key with the scope endpoint:read.',
        },
      },
      schemas: {
        EndpointRunRequest: runRequest(endpoint.currentVersion, {
          hasVariables: variables.length > 0,
          areRequired: required.length > 0,
          isMaterialized: ranges !== null,
          isInsight,
        }),
        ...(variables.length > 0 && { Variables: variablesSchema(variables, required, ranges ?? [], isInsight) }),
        ...(isInsight && filterSchemas),
        EndpointRunResult: runResult(version, ranges !== null),
        Error: errorSchema,
      },
    },
  };
}

const tableSentence = ({ dataFreshnessSeconds }: StoredVersion): string =>
  `It is materialized: while a table with its result is younger than ${dataFreshnessSeconds} s, rows are of the table. A run gives each required variable a value other than null.`;

const json = (schema: Json): Json => ({ 'application/json': { schema } });

function operation(name: string, description: string, isBodyRequired: boolean): Json {
  const errorResponse = (what: string): Json => ({ description: what, content: json(reference('Error')) });
  return {
    operationId: `run_${name.replaceAll('-', '_')}`,
    summary: `Run ${name}`,
    description,
    security: [{ PersonalAPIKey: [] }],
    parameters: [formatParameter],
    requestBody: { required: isBodyRequired, content: json(reference('EndpointRunRequest')) },
    responses: {
      200: { description: 'The rows.', content: json(reference('EndpointRunResult')) },
      400: errorResponse('The request, or the query with these values, makes no sense or costs too much.'),
      401: errorResponse('No key, or a bad one.'),
      404: errorResponse('There is no such endpoint or version, or it is switched off.'),
      429: errorResponse('Too many calls, or too many at a time: wait for Retry-After seconds.'),
    },
  };
}

/** Other formats are in the document of the whole API: with a second schema or media type here, generated clients would not know what they get. */
const formatParameter = {
  name: 'format',
  in: 'query',
  required: false,
  schema: { type: 'string', enum: ['json'] },
  description: 'Rows as lists, as without it.',
};

function runRequest(
  currentVersion: number,
  {
    hasVariables,
    areRequired,
    isMaterialized,
    isInsight,
  }: { hasVariables: boolean; areRequired: boolean; isMaterialized: boolean; isInsight: boolean },
): Json {
  return {
    type: 'object',
    properties: {
      client_query_id: { ...nullableString, description: 'Names the run in logs.' },
      ...(isInsight && { filters_override: reference('DashboardFilter') }),
      refresh: {
        type: 'string',
        enum: ['cache', 'force', 'direct'],
        default: 'cache',
        description: isMaterialized
          ? 'force: now, of the table; direct: now, of the events.'
          : 'force: now. direct is for materialized versions alone.',
      },
      version: { type: 'integer', minimum: 1, maximum: currentVersion, description: 'Default: the newest.' },
      ...(!isInsight && {
        limit: { type: 'integer', minimum: 1 },
        offset: { type: 'integer', minimum: 0, description: 'Needs limit.' },
      }),
      debug: { type: 'boolean', default: false },
      ...(hasVariables && { variables: reference('Variables') }),
    },
    ...(areRequired && { required: ['variables'] }),
  };
}

function variablesSchema(
  variables: readonly DeclaredVariable[],
  required: readonly string[],
  ranges: readonly RangePair[],
  isInsight: boolean,
): Json {
  // Dates and values of breakdowns are texts.
  const schemas = isInsight ? { ...variableSchemas, Any: string } : variableSchemas;
  const properties = Object.fromEntries(
    variables.map(({ name, type, fallback }) => [
      name,
      { ...schemas[type], ...exampleOf(fallback), ...boundOf(name, ranges) },
    ]),
  );
  return { type: 'object', properties, additionalProperties: false, ...(required.length > 0 && { required }) };
}

function exampleOf(fallback: DeclaredVariable['fallback']): Json {
  if (fallback === undefined) return {};
  return fallback === null ? { nullable: true } : { example: fallback };
}

/** Which values of a bound the table answers. The others are slower, and no error. */
function boundOf(variable: string, ranges: readonly RangePair[]): Json {
  const bounds = ranges.filter(({ variables, bucket_fn }) => bucket_fn !== null && variables.includes(variable));
  if (bounds.length === 0) return {};
  const buckets = bounds.map(({ column, bucket_fn }) => `${column} (${bucket_fn ?? ''})`).join(', ');
  return {
    description: `A bound of ${buckets}. The table answers the first moment of a bucket, with >= and <; every other value is answered by the query, which is slower.`,
  };
}

const errorSchema = {
  type: 'object',
  properties: { type: string, code: string, detail: string, attr: nullableString },
  required: ['type', 'code', 'detail'],
};
