import type { Request } from 'express';
import type { Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { PreparedEndpointQuery } from '../../../queries/compile/prepared-endpoint-query.ts';
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
  const request = boundByToken(readRunRequest(body, query, rawQuery), auth.runToken, format);
  const version = await findRunnableVersion(context, found, request.version);
  if (!version.isActive)
    throw new AppError('invalid_input', {
      detail: `Version ${version.version} of this endpoint is inactive.`,
      logged: 'This version of the endpoint is inactive.',
    });
  refuseOptions(request, version);
  const prepared = context.preparedQueries.of(version, auth.project.organizationId);
  const pinned = auth.runToken?.variables ?? {};
  const open = prepared.variables.map(({ name }) => name).filter((name) => !Object.hasOwn(pinned, name));
  refuseUnknownParameters(request, open);
  const given = givenVariables(request, prepared);
  const demanded = await demandedVariables(context, version, prepared.variables, auth.project.organizationId, given);
  const values = bindVariables(demanded, version.materialization === null ? given : withoutNulls(given));
  const queryContext = await loadQueryContext(context.prisma, auth.project, prepared);
  const { organizationId } = auth.project;
  const run = { version, organizationId, request, values, queryContext, nowMs: context.clock.nowMs() };
  const { readTable, wantsBuild } = chooseTable(context.preparedTables, run);
  await context.throttles.takeRun(auth, readTable === undefined ? 'general' : 'materialized');
  if (wantsBuild) context.wantedBuilds.want(version);
  return {
    request: { ...request, asObjects: format === 'objects' },
    version,
    prepared,
    values,
    queryContext,
    readTable,
  };
}

function refuseOptions({ hasFiltersOverride, refresh }: RunRequest, { materialization }: RunnableVersion): void {
  if (hasFiltersOverride) throw notForSql('filters_override', 'SQL endpoints take variables, not filters_override.');
  if (refresh === 'direct' && materialization === null)
    throw notForSql('refresh', 'refresh "direct" is only for materialized endpoints.');
}

/** Null is no value of a materialized version. */
const withoutNulls = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

const notForSql = (attr: string, detail: string): AppError =>
  new AppError('invalid_input', { attr, detail, logged: detail });

function givenVariables(request: RunRequest, { variables }: PreparedEndpointQuery): Record<string, unknown> {
  const given: Record<string, unknown> = { ...request.variables };
  const types = new Map(variables.map(({ name, type }) => [name, type]));
  for (const [name, text] of Object.entries(request.textVariables)) {
    given[name] = valueOfText(types.get(name) ?? 'String', text);
  }
  return given;
}
