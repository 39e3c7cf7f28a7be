import { AppError } from '@millrace/http/errors/errors.ts';
import type { CompiledQuery } from '@millrace/query-language/compile.ts';
import { QueryError, type QueryErrorFields } from '@millrace/query-language/query-error.ts';
import type { KeptTypes, LearnedNames } from '@millrace/query-language/schema/learned-names.ts';
import { appErrorOf, taskErrorOf, type TaskError } from '../../task-error.ts';
import { checkQuery, prepareChecked, type CheckedQuery, type QueryCheck, type SavedQuery } from './check-query.ts';
import type { RowRequest } from './prepared-endpoint-query.ts';
import { compileTable, type CompiledTable, type TableSource } from './compile-table.ts';
import { prepareTable, type TableToRead } from './prepare-table.ts';
import type { FilterContext } from '../definition/filters.ts';
import type { CheckedInsight } from '../insights/insight-kind.ts';
import { insightKindOf } from '../insights/insight-kinds.ts';
import type { FiltersOverride } from '../insights/insight-variables.ts';
import { checkInsight, prepareInsight } from './prepare-insight.ts';
import type { SharedVariable } from '../definition/shared-variables.ts';
import type { VariableValue } from '../definition/variables.ts';
import { previewMaterialization, type MaterializationPreview, type PreviewedQuery } from './preview-materialization.ts';
import { rewriteQuery, type RewrittenQuery } from './rewrite-query.ts';

/** A query that is about to be saved or run. */
export interface CheckTask {
  kind: 'check';
  definition: Readonly<Record<string, unknown>>;
  shared: readonly SharedVariable[];
  names?: LearnedNames | undefined;
}

/** A checked query and the values of one run. */
export interface PrintTask {
  kind: 'print';
  query: SavedQuery;
  /** Only of an insight. */
  override?: FiltersOverride | undefined;
  values: Readonly<Record<string, VariableValue>>;
  rows: RowRequest;
  filterContext: FilterContext;
  names?: LearnedNames | undefined;
  kept?: KeptTypes | undefined;
}

/** A checked query whose materialization is looked at. */
export interface PreviewTask extends PreviewedQuery {
  kind: 'preview';
}

/** A checked query that is brought into forms that can be materialized. */
export interface RewriteTask {
  kind: 'rewrite';
  query: CheckedQuery;
  /** Types of properties that the query keeps. */
  kept: KeptTypes;
}

/** A checked query whose table is planned and compiled. */
export interface TableTask extends TableSource {
  kind: 'table';
}

/** A table and the values of one run that reads it. */
export interface ReadTask extends TableToRead {
  kind: 'read';
  values: Readonly<Record<string, VariableValue>>;
  rows: RowRequest;
}

/** Work that can be done in another thread: plain data. */
export type CompileTask = CheckTask | PrintTask | PreviewTask | RewriteTask | TableTask | ReadTask;

/** Result of a task, as plain data. */
type TaskResult = QueryCheck | CompiledQuery | MaterializationPreview | RewrittenQuery | CompiledTable | null;

/** Result or error of a task, as plain data. */
export type TaskOutcome = { result: TaskResult } | { error: CompileError };

interface CompileError extends TaskError {
  cause: QueryErrorFields | undefined;
}

/** Runs the task with the budget of any statement. Throws errors other than `AppError`. Pure. */
export function runTask(task: CompileTask): TaskOutcome {
  try {
    return { result: resultOf(task) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: { ...taskErrorOf(error), cause: fieldsOf(error.details.cause) } };
  }
}

function resultOf(task: CompileTask): TaskResult {
  switch (task.kind) {
    case 'check': {
      const { definition, shared, names } = task;
      const kind = insightKindOf(definition);
      return kind === undefined ? checkQuery(definition, shared, { names }) : checkInsight(kind, definition, { names });
    }
    case 'print':
      return print(task);
    case 'preview':
      return previewMaterialization(task);
    case 'rewrite':
      return rewriteQuery(task.query, task.kept);
    case 'table':
      return compileTable(task);
    case 'read':
      return prepareTable(task).compile(task.values, task.rows);
  }
}

function print({ query, override, values, rows, filterContext, names, kept }: PrintTask): CompiledQuery {
  const kind = insightKindOf(query);
  if (kind === undefined)
    return prepareChecked(query as CheckedQuery, { kept }).compile(values, rows, filterContext, names);
  const prepared = prepareInsight(kind, query as CheckedInsight, { kept, override });
  // The reader of the rows is no data: the caller has one.
  const { shape: _shape, ...compiled } = prepared.compile(values, rows, filterContext, names);
  return compiled;
}

function fieldsOf(cause: unknown): QueryErrorFields | undefined {
  if (!(cause instanceof QueryError)) return undefined;
  const { message, code, position, suggestion } = cause;
  return { message, code, position, suggestion };
}

/** The error that the task ended with. */
export function errorOf({ cause, ...error }: CompileError): AppError {
  return appErrorOf(error, cause && new QueryError(cause));
}
