import type { ExpressionCondition } from '@millrace/query-language/filters/query-filters.ts';
import { FilterError } from '@millrace/query-language/filters/filter-error.ts';
import { compare, constant, isNull } from '@millrace/query-language/insights/nodes.ts';
import type { Expression } from '@millrace/query-language/tree/expressions.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { DeclaredVariable, VariableValue } from '../definition/variables.ts';
import type { BreakdownFilter, BreakdownItem } from './definition/breakdown-schema.ts';
import { readBreakdown } from './definition/read-breakdown.ts';
import { isAll } from './dates/bounds.ts';
import type { DateRange } from './dates/date-span.ts';
import { readGivenTime } from './dates/given-time.ts';

/** Parts of a definition that variables and overrides change. */
interface Bindable {
  dateRange?: DateRange;
  breakdownFilter?: BreakdownFilter;
}

/** `filters_override` of a run (contract/insights 12). */
export interface FiltersOverride {
  date_from?: string;
  date_to?: string;
  explicitDate?: boolean;
  properties?: readonly unknown[];
}

const dateVariables = ['date_from', 'date_to'] as const;

/** Properties of a definition's breakdown, in both of the forms that it may have. Pure. */
export function breakdownsOf({ breakdownFilter = {} }: Bindable): readonly BreakdownItem[] {
  const { breakdown, breakdown_type: type, breakdown_group_type_index: index, breakdowns = [] } = breakdownFilter;
  return breakdown === undefined ? breakdowns : [{ property: breakdown, type, group_type_index: index }];
}

/** Variables that a run may give: dates, and the properties whose values are variables (contract/insights 12). Pure. */
export function insightVariables(properties: readonly string[]): DeclaredVariable[] {
  return [...new Set([...properties, ...dateVariables])].map((name) => ({ name, type: 'Any', fallback: null }));
}

/**
 * Variables of a materialized version: the properties of its breakdown, each required unless it is optional. An override whose first filter picks
 * a value of the only one stands for it (contract/endpoints 4.3). Pure.
 */
export function materializedVariables(
  properties: readonly string[],
  optional: readonly string[],
  override: FiltersOverride | undefined,
): DeclaredVariable[] {
  const picked = properties.length === 1 ? pickedBy(override?.properties?.[0]) : undefined;
  return properties.map((name) => ({
    name,
    type: 'Any',
    fallback: optional.includes(name) || name === picked ? null : undefined,
  }));
}

/** Property of which a filter picks one value. */
function pickedBy(filter: unknown): unknown {
  const { key, value, operator } = (filter ?? {}) as { key?: unknown; value?: unknown; operator?: unknown };
  const isOne = ['string', 'number', 'boolean'].includes(typeof value);
  return isOne && (operator ?? 'exact') === 'exact' ? key : undefined;
}

/** A definition with the values of a run. */
export interface BoundDefinition<Definition> {
  definition: Definition;
  /** Fields of the request that its dates come from; undefined: they are those that were saved. */
  datesOf: 'variables' | 'filters_override' | undefined;
  /** Filters of the override, as a definition writes them. */
  also: readonly unknown[];
  /** Conditions that select values of breakdowns. */
  selected: readonly ExpressionCondition[];
  /** Values of histograms, by the place of the breakdown: which bins there are is known with the rows. */
  bins: readonly { at: number; text: string }[];
}

/**
 * The definition with the values of a run. `date_from` alone drops the saved `date_to`; a breakdown's value selects the events that have it, and
 * an empty one those without a value. A variable does not set what `override` sets. Pure.
 * @throws {AppError} 400 on `variables`: a list, or a date that is no text
 */
export function bindDefinition<Definition extends Bindable>(
  definition: Definition,
  values: Readonly<Record<string, VariableValue>>,
  override: FiltersOverride | undefined,
): BoundDefinition<Definition> {
  const ofOverride = datesIn(override ?? {});
  const dates = { ...datesOf(values, ofOverride), ...ofOverride };
  const overridden = new Set((override?.properties ?? []).map((filter) => subjectOf((filter ?? {}) as Subject)));
  const given = breakdownsOf(definition).flatMap(({ property, type, group_type_index }, at) => {
    const isOverridden = overridden.has(subjectOf({ key: property, type, group_type_index }));
    const value = isOverridden || !Object.hasOwn(values, property) ? null : (values[property] ?? null);
    return value === null ? [] : [{ at, text: textOf(property, value) }];
  });
  return {
    definition: { ...definition, ...rangeOf(definition.dateRange, dates) },
    datesOf: fieldOfDates(ofOverride, dates),
    also: override?.properties ?? [],
    ...selection(definition, given),
  };
}

function selection(
  definition: Bindable,
  given: readonly { at: number; text: string }[],
): Pick<BoundDefinition<Bindable>, 'selected' | 'bins'> {
  const breakdown =
    given.length === 0 ? undefined : readBreakdown(definition, { max: breakdownsOf(definition).length });
  if (breakdown === undefined) return { selected: [], bins: [] };
  const { expressions, bins } = breakdown;
  const [binned, others] = [
    given.filter(({ at }) => bins[at] !== undefined),
    given.filter(({ at }) => bins[at] === undefined),
  ];
  return {
    bins: binned,
    selected: others.map(({ at, text }) => {
      const value = expressions[at] as Expression;
      return { expression: text === '' ? isNull(value) : compare(value, '==', constant(text)), text, units: 1 };
    }),
  };
}

function textOf(property: string, value: Exclude<VariableValue, null>): string {
  if (typeof value === 'object')
    throw onVariables(`${property} must be a text, a number or a boolean: one value of the breakdown.`);
  return String(value);
}

type Dates = Pick<FiltersOverride, 'date_from' | 'date_to' | 'explicitDate'>;

/** Property that a filter, or a breakdown, is about. */
interface Subject {
  key?: unknown;
  type?: unknown;
  group_type_index?: unknown;
}

const subjectOf = ({ key, type, group_type_index: index }: Subject): string =>
  JSON.stringify([key, type ?? 'event', index ?? null]);

const datesIn = ({ date_from, date_to, explicitDate }: Dates): Dates => ({
  ...(date_from !== undefined && { date_from }),
  ...(date_to !== undefined && { date_to }),
  ...(explicitDate !== undefined && { explicitDate }),
});

function fieldOfDates(ofOverride: Dates, dates: Dates): BoundDefinition<Bindable>['datesOf'] {
  if (Object.keys(ofOverride).length > 0) return 'filters_override';
  return Object.keys(dates).length > 0 ? 'variables' : undefined;
}

function rangeOf(saved: DateRange | undefined, { date_from: from, date_to: to, explicitDate }: Dates): Bindable {
  if (from === undefined && to === undefined && explicitDate === undefined)
    return saved === undefined ? {} : { dateRange: saved };
  const { date_from: savedFrom, date_to: savedTo, ...others } = saved ?? {};
  const begin = from ?? savedFrom;
  // `date_from` alone ends now.
  const end = to ?? (from === undefined ? savedTo : undefined);
  return {
    dateRange: {
      ...others,
      ...(begin !== undefined && { date_from: begin }),
      ...(end !== undefined && { date_to: end }),
      ...(explicitDate !== undefined && { explicitDate }),
    },
  };
}

/** Dates of variables, but for those that `others` has. */
function datesOf(values: Readonly<Record<string, VariableValue>>, others: Dates): Dates {
  const given = dateVariables.flatMap((name) => {
    const value = values[name] ?? null;
    if (value === null || others[name] !== undefined) return [];
    if (typeof value !== 'string') throw onVariables(`${name} must be a text, such as "-7d" or "2026-01-31".`);
    refuseDate(name, value);
    return [[name, value]];
  });
  return Object.fromEntries(given) as Dates;
}

function refuseDate(name: string, value: string): void {
  if (name === 'date_from' && isAll(value)) return;
  try {
    readGivenTime(value, name, { nowMs: 0, timeZone: 'UTC' });
  } catch (error) {
    const isNoTime = error instanceof AppError || error instanceof FilterError;
    throw isNoTime ? onVariables(error.message) : error;
  }
}

function onVariables(detail: string): AppError {
  return new AppError('invalid_input', { attr: 'variables', detail, logged: 'A variable has the wrong type.' });
}
