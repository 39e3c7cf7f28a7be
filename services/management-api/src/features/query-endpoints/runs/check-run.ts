import type { Request } from 'express';
import type { Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import { readFiltersOverride } from '../../../queries/insights/filters-override.ts';
import type { PreparedEndpointQuery, PreparedInsight } from '../../../queries/compile/prepared-endpoint-query.ts';
import { loadQueryContext, type QueryContext } from '../../../queries/compile/query-context.ts';
import { bindVariables, valueOfText, type VariableValue } from '../../../queries/definition/variables.ts';
import type { Context } from '../context.ts';
import { demandedVariables } from '../materialization/demanded-variables.ts';
import { findRunnableVersion } from '../store/find-endpoint.ts';
import type { RunnableEndpoint, RunnableVersion } from '../store/runnable-endpoint.ts';
import { boundByToken } from './bound-by-token.ts';
import { chooseTable, type ReadTable } from './choose-table.ts';
import {
  readRunRequest,
  refuseUnknownParameters,
  type RunBody,
  type RunFormat,
  type RunQuery,
  type RunRequest,
} from './run-request.ts';

/** A request to run an endpoint that was found. */
export interface RunInput {
  request: Pick<Request, 'headers' | 'method'>;
  found: RunnableEndpoint;
  auth: ProjectAccess;
  context: Context;
  query: Static<typeof RunQuery>;
  rawQuery: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** A run whose request passed all checks. */
export interface CheckedRun {
  request: RunRequest & { asObjects: boolean };
  version: RunnableVersion;
  prepared: PreparedEndpointQuery;
  values: Record<string, VariableValue>;
  queryContext: QueryContext;
  readTable: ReadTable | undefined;
}

/** Checks a request, in the order of contract/endpoints 4.2, and counts the run by what answers it. */
export async function checkRun(
  { found, auth, context, query, rawQuery }: RunInput,
  body: Static<typeof RunBody> | undefined,
  format: RunFormat,
): Promise<CheckedRun> {
  const asked = readRunRequest(body, query, rawQuery);
  const request = boundByToken(asked, auth.runToken, format);
  const version = await findRunnableVersion(context, found, request.version);
  if (!version.isActive)
    throw new AppError('invalid_input', {
      detail: `Version ${version.version} of this endpoint is inactive.`,
      logged: 'This version of the endpoint is inactive.',
    });
  refuseOptions(request, version);
  const prepared = preparedFor(context.preparedQueries.of(version, auth.project.organizationId), asked, format);
  const pinned = auth.runToken?.variables ?? {};
  const open = prepared.variables.map(({ name }) => name).filter((name) => !Object.hasOwn(pinned, name));
  refuseUnknownParameters(request, open);
  const given = givenVariables(request, prepared);
  const demanded = await demandedVariables(context, version, prepared, auth.project.organizationId, given);
  const values = bindVariables(demanded, version.materialization === null ? given : withoutNulls(given));
  const queryContext = await loadQueryContext(context.prisma, auth.project, prepared);
  const { organizationId } = auth.project;
  const run = { version, organizationId, request, values, queryContext, nowMs: context.clock.nowMs() };
  const { readTable, wantsBuild } = chooseTable(context.preparedTables, run);
  await context.throttles.takeRun(auth, readTable === undefined ? 'general' : 'materialized');
  if (wantsBuild) context.wantedBuilds.want(version);
  return {
    // An insight has no first rows that a token could be held to.
    request: { ...request, ...(prepared.insight && wholeResult), asObjects: format === 'objects' },
    version,
    prepared,
    values,
    queryContext,
    readTable,
  };
}

/** The query that this request runs: an insight may have other dates and filters. @throws {AppError} 400 on what its kind does not take */
function preparedFor(
  saved: PreparedEndpointQuery,
  { filtersOverride, limit, offset }: RunRequest,
  format: RunFormat,
): PreparedEndpointQuery {
  const { insight } = saved;
  if (insight === undefined) {
    if (filtersOverride === null) return saved;
    throw refused('filters_override', 'SQL endpoints take variables, not filters_override.');
  }
  if (limit !== undefined) throw notForInsight('limit', insight);
  if (offset !== undefined) throw notForInsight('offset', insight);
  if (hasColumns(format) && !insight.hasTable)
    throw refused('format', `A ${insight.kind} has no rows of columns. Leave format out.`);
  return filtersOverride === null ? saved : insight.overridden(readFiltersOverride(filtersOverride));
}

const wholeResult = { limit: undefined, offset: undefined };

const hasColumns = (format: RunFormat): boolean => ['objects', 'csv', 'ndjson'].includes(format);

const notForInsight = (attr: string, { kind, hasTable }: PreparedInsight): AppError =>
  refused(attr, `A ${kind} has no pages.${hasTable ? ` Write ${attr} into the query.` : ''}`);

function refuseOptions({ refresh }: RunRequest, { materialization }: RunnableVersion): void {
  if (refresh === 'direct' && materialization === null)
    throw refused('refresh', 'refresh "direct" is only for materialized endpoints.');
}

/** Null is no value of a materialized version. */
const withoutNulls = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

const refused = (attr: string, detail: string): AppError =>
  new AppError('invalid_input', { attr, detail, logged: detail });

function givenVariables(request: RunRequest, { variables }: PreparedEndpointQuery): Record<string, unknown> {
  const types = new Map(variables.map(({ name, type }) => [name, type]));
  const ofTexts = Object.entries(request.textVariables).map(
    ([name, text]) => [name, valueOfText(types.get(name) ?? 'String', text)] as const,
  );
  return { ...request.variables, ...Object.fromEntries(ofTexts) };
}
