import { FilterError } from '@millrace/query-language/filters/filter-error.ts';
import { readProperties } from '@millrace/query-language/filters/property-filters.ts';
import type { FilterGroup } from '@millrace/query-language/filters/query-filters.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { onQuery } from '../../definition/variables.ts';
import type { InsightContext } from '../insight-kind.ts';

/** Conditions of a definition that hold for all its rows. */
interface Filtered {
  properties?: unknown;
  filterTestAccounts?: boolean;
}

/**
 * Conditions of the whole insight: its filters and, when it says so, those of the project's test accounts (contract/insights 3).
 * @throws {AppError} 400 on `query`: a filter that cannot be applied is never left out
 */
export function readConditions({ properties, filterTestAccounts }: Filtered, context: InsightContext): FilterGroup {
  return joined([
    readPart(properties, context, 'query.properties'),
    filterTestAccounts === true ? readPart(context.testAccounts, context, 'test_account_filters') : joined([]),
    readPart(context.also, context, 'filters_override.properties', onOverride),
    { all: true, members: context.selected ?? [] },
  ]);
}

/** Conditions of one node: its `properties` and `fixedProperties`. `place`: `query.series.0`. @throws {AppError} 400 on `query` */
export function readNodeConditions(
  { properties, fixedProperties }: { properties?: unknown; fixedProperties?: unknown },
  context: InsightContext,
  place: string,
): FilterGroup {
  return joined([
    readPart(properties, context, `${place}.properties`),
    readPart(fixedProperties, context, `${place}.fixedProperties`),
  ]);
}

/** Conditions of all these groups hold. Pure. */
export const joined = (groups: readonly FilterGroup[]): FilterGroup => ({
  all: true,
  members: groups.flatMap((group) => (group.all ? group.members : [group])),
});

const onOverride = (detail: string): AppError => new AppError('invalid_input', { attr: 'filters_override', detail });

function readPart(properties: unknown, context: InsightContext, place: string, toError = onQuery): FilterGroup {
  try {
    return { all: true, members: readProperties(properties, context, place) };
  } catch (error) {
    throw error instanceof FilterError ? toError(error.message) : error;
  }
}
