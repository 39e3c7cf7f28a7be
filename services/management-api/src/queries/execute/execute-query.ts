import type { CompiledQuery } from '@millrace/query-language/compile.ts';
import { withTimeTypes } from '@millrace/query-language/print/shown-times.ts';
import type { QueryWarning } from '@millrace/query-language/warnings.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { PreparedEndpointQuery } from '../compile/prepared-endpoint-query.ts';
import type { OwnWait } from '../limits/concurrency-limiter.ts';
import type { FilterContext } from '../definition/filters.ts';
import { readOf, splitResult, withoutLastRow, type EngineResult, type Read } from '../result/result-bytes.ts';
import { objectsForm, splitTemplate } from '../result/template-form.ts';
import type { ProjectNames } from '../schema/project-names.ts';
import type { InsightRange } from '../insights/insight-kind.ts';
import { shapeResult } from '../insights/shape-result.ts';
import { withNames } from '../schema/with-names.ts';
import { readEarliest } from './read-earliest.ts';
import type { TenantEngine } from './tenant-engine.ts';
import type { VariableValue } from '../definition/variables.ts';

/** A query with everything that is needed to execute it. */
export interface ExecutableQuery {
  teamId: number;
  organizationId: string;
  /** The key, or the run token, of the caller. */
  keyId: string;
  prepared: PreparedEndpointQuery;
  values: Readonly<Record<string, VariableValue>>;
  /** `asObjects`: each row an object of its columns; else a list in their order. */
  request: { limit: number | undefined; offset: number | undefined; asObjects?: boolean };
  /** Settings of the project that its filters depend on, beside the time. */
  queryContext: Omit<FilterContext, 'nowMs'>;
  /** Id of the run. */
  executionId: string;
  /** Id of the query in the engine's logs; that of the run unless given. ClickHouse refuses a second query with an id that it has not forgotten. */
  queryId?: string;
  signal: AbortSignal;
  /** Used while the query waits for a slot. */
  wait?: OwnWait | undefined;
  /** It reads a table of a materialized version alone. */
  isOfTable?: boolean;
}

/** The response of ClickHouse, the query that was sent, and the time that it took. */
export interface ExecutedQuery {
  result: EngineResult;
  hasMore: boolean;
  /** Warnings about parts of the query that are probably mistakes. */
  warnings: readonly QueryWarning[];
  /** Time at which the rows were read, in milliseconds since 1970. */
  atMs: number;
  sql: string;
  /** Most rows that it may have. */
  rowLimit: number;
  /** Milliseconds. */
  took: { compile: number; engine: number };
  read: Read;
  /** Insights only. */
  range?: InsightRange;
  /** Insights that are tables only: their own limit and offset. */
  page?: { limit: number; offset: number };
}

/** Parts that execute a query. */
export interface Executing {
  tenantEngine: TenantEngine;
  projectNames: Pick<ProjectNames, 'of' | 'newest' | 'haveCome'>;
  resultRowsMax: number;
  clock: Clock;
}

/** Computes the rows. @throws {AppError} as `PreparedEndpointQuery.compile` and `TenantEngine.run` do; 400 for objects of two columns with one name */
export async function executeQuery(
  { tenantEngine, projectNames, resultRowsMax, clock }: Executing,
  {
    prepared,
    values,
    request: { limit, offset, asObjects = false },
    queryContext,
    teamId,
    organizationId,
    keyId,
    executionId,
    queryId = executionId,
    signal,
    wait,
    isOfTable,
  }: ExecutableQuery,
): Promise<ExecutedQuery> {
  const begun = performance.now();
  const caller = { teamId, organizationId, keyId, signal, wait, ...(isOfTable !== undefined && { isOfTable }) };
  const now = { ...queryContext, nowMs: clock.nowMs() };
  const earliest = await readEarliest(tenantEngine, prepared, values, {
    ...caller,
    queryId: `${queryId}-earliest`,
    now,
  });
  const compiled = await withNames(projectNames, teamId, (known) =>
    prepared.compile(values, { limit, offset, rowsMax: resultRowsMax }, { ...now, earliest }, known),
  );
  const compiledAt = performance.now();
  const atMs = clock.nowMs();
  const names = compiled.columns.map(({ name }) => name);
  const { shape } = compiled;
  const form = asObjects && shape === undefined ? objectsForm(names) : undefined;
  const bytes = await tenantEngine.run({
    ...caller,
    sql: compiled.sql,
    params: compiled.params,
    queryId,
    ...(form && { form }),
  });
  const { result: response, read } =
    form === undefined
      ? { result: described(splitResult(bytes), compiled), read: readOf(bytes) }
      : splitTemplate(bytes, form, names);
  const hasMore = compiled.extraRowMeansMore && response.rowCount > compiled.rowLimit;
  if (hasMore && response.rowCount !== compiled.rowLimit + 1)
    throw new Error('the engine sent more than one row too many');
  const took = { compile: compiledAt - begun, engine: performance.now() - compiledAt };
  const rows = hasMore ? withoutLastRow(response) : response;
  return {
    ...(shape === undefined ? { result: rows, hasMore } : shapeResult(rows, shape, asObjects)),
    ...(compiled.range && { range: compiled.range }),
    warnings: compiled.warnings,
    atMs,
    sql: compiled.sql,
    rowLimit: compiled.rowLimit,
    took,
    read,
  };
}

/** The result with the users' names of columns, which not all can be printed into SQL, and with the types of times. */
function described(
  response: EngineResult,
  { columns, timeTypes }: Pick<CompiledQuery, 'columns' | 'timeTypes'>,
): EngineResult {
  return {
    ...response,
    columns: (response.columns ?? []).map(({ name, type }, index) => ({
      name: columns[index]?.name ?? name,
      ...(type !== undefined && { type: withTimeTypes(type, timeTypes?.[index]) }),
    })),
  };
}
