import { Budget } from '@millrace/query-language/budget.ts';
import { prepareStatement, type CompiledQuery } from '@millrace/query-language/compile.ts';
import { earliestEvent } from '@millrace/query-language/insights/earliest-event.ts';
import {
  keptTypesOf,
  schemaOf,
  type KeptTypes,
  type LearnedNames,
} from '@millrace/query-language/schema/learned-names.ts';
import type { VariableValue } from '../definition/variables.ts';
import type { QueryCheck } from './check-query.ts';
import type { PreparedHere } from './prepared-endpoint-query.ts';
import { runError, saveError, translated } from './translated-errors.ts';
import { checkedDefinition, withoutNulls } from '../insights/definition/checked-definition.ts';
import { wantsEarliest, type DateSpan } from '../insights/dates/date-span.ts';
import { breakdownVariables } from '../insights/insight-breakdowns.ts';
import {
  bindDefinition,
  insightVariables,
  materializedVariables,
  type FiltersOverride,
} from '../insights/insight-variables.ts';
import {
  insightRowsMax,
  type CommonDefinition,
  type InsightContext,
  type InsightKind,
  type InsightQuestion,
  type InsightRange,
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
  const question = kind.ask(checked as never, { nowMs: Date.now(), timeZone: 'UTC', testAccounts: [] });
  const { properties, warnings } = translated(
    () => printed(question, 'UTC', { units, names, kept: undefined }),
    saveError,
  );
  return {
    query: definition as CheckedInsight,
    columns: [],
    warnings,
    placeholders: [],
    types: keptTypesOf(properties),
  };
}

/** Prepares a checked definition for its runs. */
export function prepareInsight(kind: InsightKind, query: CheckedInsight, options: Options = {}): PreparedHere {
  const definition = withoutNulls(query) as CommonDefinition;
  const { override, kept, units } = options;
  const properties = breakdownVariables(query);
  const ask = (values: Readonly<Record<string, VariableValue>>, context: InsightContext): InsightQuestion => {
    const bound = bindDefinition(definition, values, override);
    return kind.ask(bound.definition as never, { ...context, also: bound.also });
  };
  return {
    variables: insightVariables(properties),
    wantsTestAccounts: (definition as { filterTestAccounts?: boolean }).filterTestAccounts === true,
    compile(values, _rows, context, names) {
      const question = translated(() => ask(values, context), runError);
      const compiled = translated(() => printed(question, context.timeZone, { units, names, kept }), runError);
      return { ...compiled, shape: (rows) => question.shape(rows), range: rangeOf(question) };
    },
    insight: {
      kind: kind.kind,
      hasTable: kind.hasTable,
      demanded: (optional) => materializedVariables(properties, optional, override),
      overridden: (given) => prepareInsight(kind, query, { ...options, override: given }),
      keyOf(values, context) {
        return [override ?? null, rangeOf(ask(values, context))];
      },
      earliest(values, context) {
        const bound = bindDefinition(definition, values, override).definition;
        if (!wantsEarliest(bound.dateRange)) return undefined;
        const statement = earliestEvent(kind.earliestOf(bound as never));
        return prepareStatement(statement).print({ timeZone: context.timeZone }, { rowsMax: 1 });
      },
    },
  };
}

/** Ranges that a reply shows. Pure. */
export function rangeOf({ spans: { current, previous } }: InsightQuestion): InsightRange {
  const bounds = ({ from, to }: DateSpan): InsightRange['current'] => ({ from, to });
  return { current: bounds(current), ...(previous && { previous: bounds(previous) }) };
}

function printed(
  { statement }: InsightQuestion,
  timeZone: string,
  { units, names, kept }: { units: number | undefined; names: LearnedNames | undefined; kept: KeptTypes | undefined },
): CompiledQuery {
  return prepareStatement(statement).print(
    { timeZone, schema: names && schemaOf(names, kept) },
    { rowsMax: insightRowsMax },
    new Budget(units),
  );
}
