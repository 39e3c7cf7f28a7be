import { FilterError } from '@millrace/query-language/filters/filter-error.ts';
import type { QueryFilters } from '@millrace/query-language/filters/query-filters.ts';
import { readProperties } from '@millrace/query-language/filters/property-filters.ts';
import { isFewMinutes, readMoment, type Now } from '@millrace/query-language/filters/relative-time.ts';
import { onQuery } from './variables.ts';

/** `filters` of a query as it was given (contract/endpoints 2.1). */
export type GivenFilters = Readonly<Record<string, unknown>> | null | undefined;

/** Context of filters. */
export interface FilterContext extends Now {
  /** The conditions that leave out a project's own people, when the filters say so. */
  testAccounts: readonly unknown[];
  /** UTC text of the earliest event, where an insight's range begins with it. */
  earliest?: string | undefined;
}

const keys = new Set(['dateRange', 'properties', 'filterTestAccounts']);

/** Do these filters leave anything out? */
export function areGiven(filters: GivenFilters): boolean {
  return Object.values(filters ?? {}).some(isGiven);
}

/** Do they include the project's filter of test accounts? */
export function wantsTestAccounts(filters: GivenFilters): boolean {
  return filters?.['filterTestAccounts'] === true;
}

/**
 * Value of `{filters}` at this moment; undefined when no filters are given. A filter that cannot be applied is an
 * error, because otherwise rows would be shown that its author wanted to exclude. Pure.
 * @throws {AppError} 400 on `query`
 */
export function readFilters(filters: GivenFilters, filterContext: FilterContext): QueryFilters | undefined {
  if (filters === null || filters === undefined || !areGiven(filters)) return undefined;
  const unknown = Object.keys(filters).find((key) => !keys.has(key) && isGiven(filters[key]));
  if (unknown !== undefined)
    throw onQuery(
      `query.filters.${unknown.slice(0, 100)} is not a known filter. The filters are dateRange, properties and filterTestAccounts.`,
    );
  const { dateRange, properties, filterTestAccounts: testAccounts } = filters;
  if (testAccounts !== undefined && testAccounts !== null && typeof testAccounts !== 'boolean')
    throw onQuery('query.filters.filterTestAccounts must be true or false.');
  return understood(() => {
    const members = [
      ...readProperties(properties, filterContext, 'query.filters.properties'),
      ...(testAccounts === true
        ? readProperties(filterContext.testAccounts, filterContext, 'test_account_filters')
        : []),
    ];
    return { ...readRange(dateRange, filterContext), conditions: { all: true, members } };
  });
}

function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof FilterError ? onQuery(error.message) : error;
  }
}

function readRange(range: unknown, now: Now): Pick<QueryFilters, 'from' | 'to' | 'minutes'> {
  if (range === undefined || range === null) return { from: undefined, to: undefined };
  if (typeof range !== 'object' || Array.isArray(range))
    throw onQuery('query.filters.dateRange must be an object with date_from and date_to.');
  const { date_from: from, date_to: to, explicitDate: _exact, ...others } = range as Record<string, unknown>;
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined)
    throw onQuery(
      `query.filters.dateRange.${unknown.slice(0, 100)} is not known. The fields are date_from and date_to.`,
    );
  return {
    from: readBound(from, 'date_from', now)?.first,
    to: readBound(to, 'date_to', now)?.last,
    minutes: [from, to].find((bound) => typeof bound === 'string' && isFewMinutes(bound)) as string | undefined,
  };
}

function readBound(value: unknown, name: string, now: Now) {
  if (value === undefined || value === null || value === '' || value === 'all') return undefined;
  if (typeof value !== 'string') throw onQuery(`query.filters.dateRange.${name} must be a text.`);
  return readMoment(value, now, `query.filters.dateRange.${name}`);
}

function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.values(value).some(isGiven);
}
