import { AppError } from '@millrace/http/errors/errors.ts';
import { Budget, within } from '@millrace/query-language/budget.ts';
import { withPositions, type QueryError } from '@millrace/query-language/query-error.ts';
import { prepareStatement, type CompiledQuery } from '@millrace/query-language/compile.ts';
import { earliestEvent } from '@millrace/query-language/insights/earliest-event.ts';
import {
  keptTypesOf,
  schemaOf,
  type KeptTypes,
  type LearnedNames,
} from '@millrace/query-language/schema/learned-names.ts';
import type { QueryWarning } from '@millrace/query-language/warnings.ts';
import type { Statement } from '@millrace/query-language/tree/statements.ts';
import type { VariableValue } from '../definition/variables.ts';
import type { QueryCheck } from './check-query.ts';
import type { InsightResults, PreparedHere, PreparedInsight } from './prepared-endpoint-query.ts';
import { runError, saveError, translated } from './translated-errors.ts';
import { checkedDefinition, withoutNulls } from '../insights/definition/checked-definition.ts';
import { wantsEarliest, type DateSpan } from '../insights/dates/date-span.ts';
import { isRelative } from '../insights/dates/given-time.ts';
import { breakdownVariables } from '../insights/insight-breakdowns.ts';
import {
  bindDefinition,
  insightVariables,
  materializedVariables,
  type FiltersOverride,
  type BoundDefinition,
} from '../insights/insight-variables.ts';
import {
  insightRowsMax,
  type CommonDefinition,
  type InsightContext,
  type InsightKind,
  type InsightQuery,
  type InsightRange,
  type Row,
  type CheckedInsight,
} from '../insights/insight-kind.ts';

/** Settings of a preparation. */
interface Options {
  units?: number | undefined;
  kept?: KeptTypes | undefined;
  override?: FiltersOverride | undefined;
}

/**
 * Checks a definition that is about to be saved: its form, its filters and expressions, and whether its statement compiles.
 * @throws {AppError} 400 on `query`
 */
export function checkInsight(
  kind: InsightKind,
  definition: Readonly<Record<string, unknown>>,
  { units, names }: { units?: number | undefined; names?: LearnedNames | undefined } = {},
): QueryCheck<CheckedInsight> {
  const checked = checkedDefinition(definition, kind.schema);
  const insight = queryAtSave(kind, checked as CommonDefinition);
  const { properties, warnings } = translated(
    () => printed(insight, 'UTC', { units, names, kept: undefined }),
    saveError,
  );
  return {
    query: definition as CheckedInsight,
    columns: [],
    warnings: ofDefinition(warnings, definition),
    placeholders: [],
    types: keptTypesOf(properties),
  };
}

/** Statement of a definition that is about to be saved. @throws {AppError} as `checkInsight` does */
export function statementAtSave(kind: InsightKind, definition: Readonly<Record<string, unknown>>): Statement {
  const insight = queryAtSave(kind, checkedDefinition(definition, kind.schema) as CommonDefinition);
  return translated(() => built(insight), saveError);
}

/** Prepares a checked definition for its runs. */
export function prepareInsight(
  kind: InsightKind,
  query: CheckedInsight,
  options: Options = {},
): PreparedHere & { insight: PreparedInsight } {
  const definition = withoutNulls(query) as CommonDefinition;
  const { override, kept, units } = options;
  const properties = breakdownVariables(query);
  const bind = (values: Readonly<Record<string, VariableValue>>): BoundDefinition<CommonDefinition> =>
    bindDefinition(definition, values, override);
  const queryOfBound = (
    { definition: bound, datesOf, also, selected, bins }: BoundDefinition<CommonDefinition>,
    context: InsightContext,
  ): InsightQuery => {
    const insight = aboutDates(datesOf, () => queryOf(kind, bound, { ...context, also, selected }, runError));
    const { breakdownAt } = kind;
    if (breakdownAt === null || bins.length === 0) return insight;
    const isPicked = (row: Row): boolean =>
      row[breakdownAt.folded] !== true && bins.every(({ at, text }) => (row[breakdownAt.values + at] ?? '') === text);
    return { ...insight, shape: (rows) => insight.shape(rows.filter(isPicked)) };
  };
  return {
    variables: insightVariables(properties),
    wantsTestAccounts: (definition as { filterTestAccounts?: boolean }).filterTestAccounts === true,
    compile(values, _rows, context, names) {
      const insight = queryOfBound(bind(values), context);
      const compiled = translated(() => printed(insight, context.timeZone, { units, names, kept }), runError);
      return {
        ...compiled,
        warnings: ofDefinition(compiled.warnings, [query, values, override]),
        ...resultsOf(insight),
      };
    },
    insight: {
      kind: kind.kind,
      hasTable: kind.hasTable,
      demanded: (optional) => materializedVariables(properties, optional, override),
      overridden: (given) => prepareInsight(kind, query, { ...options, override: given }),
      unprinted(values, context) {
        const insight = queryOfBound(bind(values), context);
        return { statement: () => translated(() => built(insight), runError), results: resultsOf(insight) };
      },
      keyOf(values, context) {
        const bound = bind(values);
        const { current, previous } = queryOfBound(bound, context).spans;
        const { dateRange } = bound.definition;
        // Ranges that end at this very moment are another one each time: minutes are enough.
        const minutes = ({ countsFrom, to }: DateSpan): string[] =>
          [countsFrom, to].map((moment) => moment.slice(0, 16));
        return [override ?? null, dateRange ?? null, minutes(current), previous ? minutes(previous) : null];
      },
      earliest(values, context) {
        const bound = bind(values).definition;
        if (!wantsEarliest(bound.dateRange)) return undefined;
        const statement = earliestEvent(kind.earliestOf(bound as never));
        return prepareStatement(statement).print({ timeZone: context.timeZone }, { rowsMax: 1 });
      },
    },
  };
}

/** The reader of an insight's rows, and its ranges. Pure. */
export function resultsOf(insight: InsightQuery): InsightResults {
  return { shape: (rows) => insight.shape(rows), range: rangeOf(insight) };
}

/** Ranges that a reply shows. */
function rangeOf({ spans: { current, previous } }: InsightQuery): InsightRange {
  const bounds = ({ from, to }: DateSpan): InsightRange['current'] => ({ from, to });
  return { current: bounds(current), ...(previous && { previous: bounds(previous) }) };
}

/** The insight, read within the budget of any statement. @throws {AppError} as `prepare` does, and of expressions that cannot be parsed */
function queryOf(
  kind: InsightKind,
  definition: unknown,
  context: InsightContext,
  toError: (error: QueryError) => AppError,
): InsightQuery {
  const prepare = (): InsightQuery => kind.prepare(definition as never, context);
  return translated(() => withPositions(undefined, () => within(new Budget(), prepare)), toError);
}

/** A relative end behind the other may come before it at the time of a run, which checks it again (contract/insights 1.2). */
function queryAtSave(kind: InsightKind, definition: CommonDefinition): InsightQuery {
  const context = { nowMs: Date.now(), timeZone: 'UTC', testAccounts: [] };
  try {
    return queryOf(kind, definition, context, saveError);
  } catch (error) {
    const { dateRange: { date_from: from, date_to: to, ...range } = {}, ...others } = definition;
    const isFixed = [from, to].every((text) => text !== undefined && !isRelative(text));
    if (isFixed || !(error instanceof AppError) || !/ must not be later than /.test(error.message)) throw error;
    return queryOf(kind, { ...others, dateRange: range }, context, saveError);
  }
}

/** Runs `work`; what is wrong with the range is wrong with the field of the request that its dates come from. */
function aboutDates<Result>(attr: 'variables' | 'filters_override' | undefined, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { detail } = error instanceof AppError ? error.details : {};
    if (attr === undefined || typeof detail !== 'string' || !/^query\.(?:dateRange|interval)/.test(detail)) throw error;
    throw new AppError('invalid_input', { attr, detail: detail.replace(/^query\.dateRange\./, '') });
  }
}

/** Warnings about what its author wrote: names that only our statement has are left out, and so are places in it. */
function ofDefinition(warnings: readonly QueryWarning[], definition: unknown): QueryWarning[] {
  const text = JSON.stringify(definition);
  return warnings
    .filter(({ unknown }) => unknown === undefined || text.includes(JSON.stringify(unknown.name).slice(1, -1)))
    .map((warning) => ({ ...warning, start: 0, end: 0 }));
}

/** The statement, made within the budget of any other. @throws {QueryError} */
function built({ statement }: InsightQuery): Statement {
  return withPositions(undefined, () => within(new Budget(), statement));
}

function printed(
  insight: InsightQuery,
  timeZone: string,
  { units, names, kept }: { units: number | undefined; names: LearnedNames | undefined; kept: KeptTypes | undefined },
): CompiledQuery {
  return prepareStatement(built(insight)).print(
    { timeZone, schema: names && schemaOf(names, kept) },
    { rowsMax: insightRowsMax },
    new Budget(units),
  );
}
