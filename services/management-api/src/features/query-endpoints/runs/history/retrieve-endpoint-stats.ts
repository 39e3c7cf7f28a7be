import {
  Array as ArrayType,
  Integer,
  Number as NumberType,
  Object as ObjectType,
  Optional,
  String as StringType,
  type Static,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { prepareQuery } from '@millrace/query-language/compile.ts';
import { projectRoute } from '../../context.ts';
import { endpointParams } from '../../endpoint-example.ts';
import { queryRows } from '../../../../queries/execute/query-rows.ts';
import { queryErrors } from '../../../../queries/execute/engine-errors.ts';
import { readWindow } from '../../../../queries/definition/time-window.ts';
import { findEndpoint } from '../../store/find-endpoint.ts';

const figures = {
  calls: Integer({ description: 'Number of runs, including failed runs and refused requests.', examples: [2] }),
  errors: Integer({ description: 'Number of runs that failed or were refused.', examples: [0] }),
  p50_ms: nullable(
    NumberType({
      description: 'Median duration of the runs, in milliseconds. Refused requests do not count; null without runs.',
      examples: [3.5],
    }),
  ),
  p95_ms: nullable(NumberType({ description: '95th percentile of the duration, in milliseconds.', examples: [12] })),
  cache_share: nullable(
    NumberType({ description: 'Share of the runs with a cached result, 0 to 1.', examples: [0.5] }),
  ),
  materialized_share: nullable(
    NumberType({
      description:
        'Share of the runs that the table of a materialized version answered, 0 to 1. Refused requests do not count.',
      examples: [0.5],
    }),
  ),
};

const time = StringType({ format: 'date-time' });
const VersionStats = ObjectType(
  { version: nullable(Integer({ examples: [1], description: 'Null: requests that were refused.' })), ...figures },
  { title: 'EndpointVersionStats' },
);
const EndpointStats = ObjectType(
  {
    date_from: StringType({ format: 'date-time', examples: ['2025-12-26T03:04:05Z'] }),
    date_to: time,
    ...figures,
    versions: ArrayType(VersionStats, { description: 'Newest first.' }),
  },
  { title: 'EndpointStats' },
);

type Figures = Omit<Static<typeof VersionStats>, 'version'>;
type FigureRow = [
  calls: number,
  errors: number,
  p50: number | null,
  p95: number | null,
  cacheShare: number | null,
  materializedShare: number | null,
];
const noRuns: FigureRow = [0, 0, null, null, null, null];

// quantileBFloat16 takes little memory for any number of runs; its error is at most 1 in 256.
const figuresSql = `count(), countIf(error_code != ''),
  quantileBFloat16(0.5)(query_duration_ms), quantileBFloat16(0.95)(query_duration_ms),
  countIf(cache = 'hit') / countIf(cache != ''),
  countIf(path = 'materialized') / countIf(path != '')
FROM query_log
WHERE endpoint_id = {endpoint} AND query_start_time >= {first} AND query_start_time <= {last}`;
const ofAll = prepareQuery(`SELECT ${figuresSql}`);
const ofVersions = prepareQuery(
  `SELECT endpoint_version, ${figuresSql} GROUP BY endpoint_version ORDER BY endpoint_version DESC NULLS LAST`,
);

const daysDefault = 7;
const bound = (description: string, example: string) => Optional(StringType({ description, examples: [example] }));

/** Counts, durations and shares of the cache and of tables of the runs of an endpoint (contract/endpoints 7.1). */
export const retrieveEndpointStats = projectRoute({
  operationId: 'retrieve_endpoint_stats',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/stats',
  params: endpointParams,
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'Show how often and how fast a query endpoint ran, by version',
  description: 'Runs are counted within a second or two, and deleted after 90 days.',
  query: ObjectType({
    date_from: bound(
      "The first time, inclusive; default: seven days ago. ISO 8601; UTC where it names no zone; a bare date is that day in the project's time zone.",
      '2026-01-01',
    ),
    date_to: bound('The last time, inclusive; default: now.', '2026-01-31'),
  }),
  responses: { 200: EndpointStats },
  errors: queryErrors,
  find: findEndpoint,
  async handler({ auth: { project, caller }, context, found, query, signal }) {
    const nowMs = context.clock.nowMs();
    const given = {
      date_from: query.date_from?.trim() || isoOf(nowMs - daysDefault * 86_400_000),
      date_to: query.date_to?.trim() || isoOf(nowMs),
    };
    const { from, to } = readWindow(given, project.timezone, { namesField: true });
    const owner = { teamId: project.id, organizationId: project.organizationId, keyId: caller.keyId, signal };
    const rowsMax = context.resultRowsMax;
    const values = { endpoint: found.endpoint.id, first: from, last: to };
    const [total = noRuns] = await queryRows<FigureRow>(
      context.tenantEngine,
      ofAll.print({ values }, { rowsMax: 1 }),
      owner,
    );
    const versions = await queryRows<[number | null, ...FigureRow]>(
      context.tenantEngine,
      ofVersions.print({ values }, { rowsMax }),
      owner,
    );
    return {
      date_from: `${from.replace(' ', 'T')}Z`,
      date_to: `${to.replace(' ', 'T')}Z`,
      ...figuresOf(total),
      versions: versions.slice(0, rowsMax).map(([version, ...row]) => ({ version, ...figuresOf(row) })),
    };
  },
});

function figuresOf([calls, errors, p50_ms, p95_ms, cache_share, materialized_share]: FigureRow): Figures {
  return { calls, errors, p50_ms, p95_ms, cache_share, materialized_share };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
