import { FilterError } from '@millrace/query-language/filters/filter-error.ts';
import { readMoment } from '@millrace/query-language/filters/relative-time.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { DeclaredVariable, VariableValue } from '../definition/variables.ts';
import type { DateRange } from './dates/date-span.ts';

/** A breakdown as a definition writes it (contract/insights 5.5). */
interface GivenBreakdown {
  property: string;
  type?: string;
  group_type_index?: number;
}

/** Parts of a definition that variables and overrides change. */
interface Bindable {
  dateRange?: DateRange;
  breakdownFilter?: {
    breakdown?: string | readonly string[];
    breakdown_type?: string;
    breakdown_group_type_index?: number;
    breakdowns?: readonly GivenBreakdown[];
  };
}

/** `filters_override` of a run (contract/insights 12). */
export interface FiltersOverride {
  date_from?: string;
  date_to?: string;
  explicitDate?: boolean;
  properties?: readonly unknown[];
}

const dateVariables = ['date_from', 'date_to'] as const;

/** Breakdowns of a definition, in both of the forms that it may have. Pure. */
export function breakdownsOf({ breakdownFilter = {} }: Bindable): readonly GivenBreakdown[] {
  const { breakdown, breakdown_type: type, breakdown_group_type_index: index, breakdowns } = breakdownFilter;
  if (breakdowns !== undefined) return breakdowns;
  return [breakdown ?? []].flat().map((property) => ({
    property,
    ...(type !== undefined && { type }),
    ...(index !== undefined && { group_type_index: index }),
  }));
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

/** A definition with the values of a run, and filters that hold beside its own. */
export interface BoundDefinition<Definition> {
  definition: Definition;
  /** Filters as a definition writes them. */
  also: readonly unknown[];
}

/**
 * The definition with the values of a run. `date_from` alone drops the saved `date_to`; a breakdown's value is one more filter, and an empty one
 * finds events without a value. What `override` sets is not set by a variable. Pure.
 * @throws {AppError} 400 on `variables`: a list, or a date that is no text
 */
export function bindDefinition<Definition extends Bindable>(
  definition: Definition,
  values: Readonly<Record<string, VariableValue>>,
  override: FiltersOverride | undefined,
): BoundDefinition<Definition> {
  const dates = override && (override.date_from ?? override.date_to) !== undefined ? override : datesOf(values);
  const overridden = new Set((override?.properties ?? []).map((filter) => (filter as { key?: unknown } | null)?.key));
  const filters = breakdownsOf(definition)
    .filter(({ property }) => !overridden.has(property))
    .flatMap((breakdown) => filterOf(breakdown, values[breakdown.property] ?? null) ?? []);
  return {
    definition: { ...definition, ...rangeOf(definition.dateRange, dates) },
    also: [...(override?.properties ?? []), ...filters],
  };
}

type Dates = Pick<FiltersOverride, 'date_from' | 'date_to' | 'explicitDate'>;

function rangeOf(saved: DateRange | undefined, { date_from: from, date_to: to, explicitDate }: Dates): Bindable {
  if (from === undefined && to === undefined) return saved === undefined ? {} : { dateRange: saved };
  const { date_from: savedFrom, date_to: _savedTo, ...others } = saved ?? {};
  const begin = from ?? savedFrom;
  return {
    dateRange: {
      ...others,
      ...(begin !== undefined && { date_from: begin }),
      ...(to !== undefined && { date_to: to }),
      ...(explicitDate !== undefined && { explicitDate }),
    },
  };
}

function datesOf(values: Readonly<Record<string, VariableValue>>): Dates {
  const given = dateVariables.flatMap((name) => {
    const value = values[name] ?? null;
    if (value === null) return [];
    if (typeof value !== 'string') throw onVariables(`${name} must be a text, such as "-7d" or "2026-01-31".`);
    refuseDate(name, value);
    return [[name, value]];
  });
  return Object.fromEntries(given) as Dates;
}

function refuseDate(name: string, value: string): void {
  if (name === 'date_from' && value === 'all') return;
  try {
    readMoment(value, { nowMs: 0, timeZone: 'UTC' }, name);
  } catch (error) {
    throw error instanceof FilterError ? onVariables(error.message) : error;
  }
}

function filterOf(
  { property, type = 'event', group_type_index: index }: GivenBreakdown,
  value: VariableValue,
): unknown {
  if (value === null) return undefined;
  if (typeof value === 'object')
    throw onVariables(`${property} must be a text, a number or a boolean: one value of the breakdown.`);
  const subject = { key: property, type, ...(index !== undefined && { group_type_index: index }) };
  if (value !== '') return { ...subject, operator: 'exact', value: String(value) };
  const none = [
    { ...subject, operator: 'is_not_set' },
    { ...subject, operator: 'exact', value: '' },
  ];
  return { type: 'OR', values: none };
}

function onVariables(detail: string): AppError {
  return new AppError('invalid_input', { attr: 'variables', detail, logged: 'A variable has the wrong type.' });
}
