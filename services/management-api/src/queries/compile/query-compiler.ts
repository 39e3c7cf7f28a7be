import { AppError } from '@millrace/http/errors/errors.ts';
import type { CompiledQuery } from '@millrace/query-language/compile.ts';
import { withSuggestions } from '@millrace/query-language/hints/unknown-names.ts';
import { queryLengthMax } from '@millrace/query-language/parse.ts';
import { SpanError } from '@millrace/query-language/query-error.ts';
import { noNames, schemaOf, type KeptTypes, type LearnedNames } from '@millrace/query-language/schema/learned-names.ts';
import { mentionedNames } from '@millrace/query-language/schema/mentioned-names.ts';
import { createLeastRecentlyUsed } from '../../least-recently-used.ts';
import type { CheckedInsight, InsightKind } from '../insights/insight-kind.ts';
import type { FiltersOverride } from '../insights/insight-variables.ts';
import { checkInsight, prepareInsight, statementAtSave } from './prepare-insight.ts';
import { insightKindOf } from '../insights/insight-kinds.ts';
import { checkQuery, prepareChecked, type CheckedQuery, type QueryCheck, type SavedQuery } from './check-query.ts';
import { describeTable, prepareTable, type PreparedTable, type TableToRead } from './prepare-table.ts';
import type { PreparedEndpointQuery } from './prepared-endpoint-query.ts';
import type { CompiledTable, TableSource } from './compile-table.ts';
import { compiledWith, type CompiledWith } from './compiled-with.ts';
import { areGiven, wantsTestAccounts } from '../definition/filters.ts';
import type { SharedVariable } from '../definition/shared-variables.ts';
import { readDeclarations } from '../definition/variables.ts';
import type { PrintTask } from './compile-task.ts';
import type { CompileThread } from './compile-thread.ts';
import { previewMaterialization, type MaterializationPreview, type PreviewedQuery } from './preview-materialization.ts';
import type { RewrittenQuery } from './rewrite-query.ts';

/** Checks and compiles queries: small ones at once, others in a thread. Plans of tables cost more, so fewer of them are made at once. */
export interface QueryCompiler {
  /** As `checkQuery`. @throws {AppError} as it does, and as `CompileThread` does */
  check(
    definition: Readonly<Record<string, unknown>>,
    shared: readonly SharedVariable[],
    organizationId: string,
    names?: LearnedNames,
  ): Promise<QueryCheck>;
  /** As `prepareChecked`; of a large query only the text is cached. @throws {AppError} 400 query_error */
  prepare(query: SavedQuery, organizationId: string, kept?: KeptTypes): PreparedEndpointQuery;
  /** As `previewMaterialization`. @throws {AppError} as `CompileThread` does, unless the query is planned here */
  preview(query: PreviewedQuery, organizationId: string): Promise<MaterializationPreview>;
  /** As `previewMaterialization`, at once; null: the query is too large for that. */
  previewHere(query: PreviewedQuery): MaterializationPreview | null;
  /** As `rewriteQuery`. @throws {AppError} as `CompileThread` does */
  rewrite(query: CheckedQuery, kept: KeptTypes, organizationId: string): Promise<RewrittenQuery | null>;
  /** As `compileTable`. @throws {AppError} as it does, and as `CompileThread` does */
  compileTable(source: TableSource, organizationId: string): Promise<CompiledTable>;
  /** The read of a table, which is compiled where its length says, as a query is. @throws {Error} for a plan that this release cannot read */
  prepareTable(table: TableToRead, organizationId: string): PreparedTable;
}

/** Longest text that is parsed in this thread: parsing takes up to 2 ms for this many characters. */
const hereCharsMax = 8_192;
/** Budget of a query that is compiled in this thread: at most 8 ms. */
const hereUnits = 80_000;
/** Budget of an insight that is compiled in this thread, in 10 ms at most: its units take up to 0.2 µs. A funnel of 20 steps takes 47,000. */
const insightHereUnits = 50_000;
/** Longest text that is planned in this thread, in up to 10 ms: parts of a plan cost the square of its length. */
const plannedHereCharsMax = 1_024;
/** Size of the cache of compiled large queries with their values, in characters. */
const cachedCharsMax = 16_000_000;
const cachedQueriesMax = 1_000;

export function createQueryCompiler(thread: CompileThread): QueryCompiler {
  const compiledQueries = createLeastRecentlyUsed<string, CompiledWith>(cachedQueriesMax, {
    weightMax: cachedCharsMax,
    weightOf: ({ compiled: { sql, params } }) => sql.length + JSON.stringify(params, textOfBigint).length,
  });
  let prepared = 0;

  async function checkApart(
    definition: Readonly<Record<string, unknown>>,
    shared: readonly SharedVariable[],
    organizationId: string,
    names: LearnedNames | undefined,
  ): Promise<QueryCheck> {
    const { query, ...values } = definition;
    const kind = insightKindOf(definition);
    const part =
      names &&
      (kind === undefined
        ? mentionedNames(names, typeof query === 'string' ? query : '', [values, shared])
        : mentionedNames(names, '', [statementAtSave(kind, definition)]));
    const check = await thread.check({ kind: 'check', definition, shared, names: part }, organizationId);
    return withSuggestions(check, names && schemaOf(names));
  }

  async function printSqlApart(
    task: Omit<PrintTask, 'kind'> & { query: CheckedQuery },
    organizationId: string,
  ): Promise<CompiledQuery> {
    const { query, values, filterContext, names } = task;
    const part = names && mentionedNames(names, query.query, [query.values, query.filters, values, filterContext]);
    return await printApart(task, part, organizationId);
  }

  /** `part`: those of the task's names that the statement mentions. */
  async function printApart(
    task: Omit<PrintTask, 'kind'>,
    part: LearnedNames | undefined,
    organizationId: string,
  ): Promise<CompiledQuery> {
    const { names } = task;
    const compiled = await thread.print({ ...task, kind: 'print', names: part }, organizationId);
    return withSuggestions(compiled, names && schemaOf(names));
  }

  function prepareApart(
    query: CheckedQuery,
    organizationId: string,
    kept: KeptTypes | undefined,
  ): PreparedEndpointQuery {
    prepared += 1;
    const id = prepared;
    return {
      // A checked query declares what it uses, and nothing else.
      variables: readDeclarations(query.variables),
      wantsTestAccounts: wantsTestAccounts(query.filters),
      async compile(values, rows, filterContext, known) {
        const names = neededBy(kept, known);
        const print = (): Promise<CompiledQuery> =>
          printSqlApart({ query, values, rows, filterContext, names, kept }, organizationId);
        if (areGiven(query.filters)) return await print(); // the time may be a part of them
        return await compiledOnce(JSON.stringify([id, values, rows, filterContext.timeZone]), names, print);
      },
    };
  }

  function prepareAnInsight(
    kind: InsightKind,
    query: CheckedInsight,
    organizationId: string,
    options: { kept: KeptTypes | undefined; override?: FiltersOverride },
  ): PreparedEndpointQuery {
    const here = prepareInsight(kind, query, { ...options, units: insightHereUnits });
    const apart: PreparedEndpointQuery['compile'] = async (values, rows, filterContext, known) => {
      const names = neededBy(options.kept, known);
      const { statement, results } = here.insight.unprinted(values, filterContext);
      const task = { ...options, query, values, rows, filterContext, names };
      const part = names && (names === noNames ? names : mentionedNames(names, '', [statement()]));
      return { ...(await printApart(task, part, organizationId)), ...results };
    };
    return {
      ...here,
      insight: {
        ...here.insight,
        overridden: (override) => prepareAnInsight(kind, query, organizationId, { ...options, override }),
      },
      compile: (...given) =>
        orApart(
          () => here.compile(...given),
          () => apart(...given),
        ),
    };
  }

  async function compiledOnce(
    key: string,
    names: LearnedNames | undefined,
    print: () => Promise<CompiledQuery>,
  ): Promise<CompiledQuery> {
    const cached = compiledQueries.get(key);
    if (cached?.isOf(names)) return cached.compiled;
    const compiled = await print();
    if (key.length < cachedCharsMax / cachedQueriesMax) compiledQueries.set(key, compiledWith(compiled, names));
    return compiled;
  }

  return {
    async check(definition, shared, organizationId, names) {
      const kind = insightKindOf(definition);
      const apart = (): Promise<QueryCheck> => checkApart(definition, shared, organizationId, names);
      if (kind !== undefined)
        return await orApart(() => checkInsight(kind, definition, { units: insightHereUnits, names }), apart);
      if (!isShort(definition['query'])) return await apart();
      return await orApart(() => checkQuery(definition, shared, { units: hereUnits, names }), apart);
    },
    async preview(previewed, organizationId) {
      return previewHere(previewed) ?? (await thread.preview({ kind: 'preview', ...previewed }, organizationId));
    },
    previewHere,
    async rewrite(query, kept, organizationId) {
      return await thread.rewrite({ kind: 'rewrite', query, kept }, organizationId);
    },
    async compileTable(source, organizationId) {
      return await thread.table({ kind: 'table', ...source }, organizationId);
    },
    prepareTable(table, organizationId) {
      const apart = (...[values, rows]: Parameters<PreparedTable['compile']>): Promise<CompiledQuery> =>
        compiledOnce(JSON.stringify([table.view, values, rows]), undefined, () =>
          thread.read({ kind: 'read', ...table, values, rows }, organizationId),
        );
      if (!isShort(table.plan.read)) return { ...describeTable(table), compile: apart };
      const here = prepareTable(table, hereUnits);
      return {
        ...here,
        compile: (...given) =>
          orApart(
            () => here.compile(...given),
            () => apart(...given),
          ),
      };
    },
    prepare(saved, organizationId, kept) {
      const kind = insightKindOf(saved);
      if (kind !== undefined) return prepareAnInsight(kind, saved as CheckedInsight, organizationId, { kept });
      const query = saved as CheckedQuery;
      if (!isShort(query.query)) return prepareApart(query, organizationId, kept);
      const here = prepareChecked(query, { units: hereUnits, kept });
      return {
        ...here,
        compile: (values, rows, filterContext, names) =>
          orApart(
            () => here.compile(values, rows, filterContext, names),
            () =>
              printSqlApart({ query, values, rows, filterContext, names: neededBy(kept, names), kept }, organizationId),
          ),
      };
    },
  };
}

function previewHere(previewed: PreviewedQuery): MaterializationPreview | null {
  const { query: sql } = previewed.query;
  if (typeof sql === 'string' && sql.length > plannedHereCharsMax) return null;
  try {
    return previewMaterialization(previewed, hereUnits);
  } catch (error) {
    if (error instanceof SpanError && error.code === 'query_too_large') return null;
    throw error;
  }
}

// With types of its own a large query needs names for warnings only, and names change each minute. It goes without these warnings.
function neededBy(kept: KeptTypes | undefined, names: LearnedNames | undefined): LearnedNames | undefined {
  return names && (kept === undefined ? names : noNames);
}

/** Is it compiled in this thread? Values other than text, and texts that are too long to parse, are refused here. */
function isShort(sql: unknown): boolean {
  return typeof sql !== 'string' || sql.length <= hereCharsMax || sql.length > queryLengthMax;
}

function orApart<Result>(here: () => Result, apart: () => Result | Promise<Result>): Result | Promise<Result> {
  try {
    return here();
  } catch (error) {
    if (error instanceof AppError && error.code === 'query_too_large') return apart();
    throw error;
  }
}

function textOfBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
