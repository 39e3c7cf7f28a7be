import { compileFilter, type Matcher } from './compile-filter.ts';
import type { FilterGroup } from './filters.ts';

/** Filters as one function. A group without a filter anywhere below matches every event. Pure. @throws {FilterError} `uncompilable` */
export function compileFilters({ type, values }: FilterGroup): Matcher {
  const matchers = values.map((part) =>
    'values' in part && 'type' in part ? compileFilters(part) : compileFilter(part),
  );
  if (matchers.length === 0) return () => true;
  if (type === 'AND') return (event) => matchers.every((matches) => matches(event));
  return (event) => matchers.some((matches) => matches(event));
}
