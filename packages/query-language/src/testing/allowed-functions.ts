import { cutCombinator } from '../functions/combinators.ts';
import {
  aggregateFunctions,
  scalarFunctions,
  specialFunctionNames,
  windowFunctions,
} from '../functions/function-table.ts';

/** Functions that the compiler prints itself, for operators, conversions and the reading of columns. */
const ownFunctions =
  'toFloat64OrNull parseDateTime64BestEffortOrNull accurateCastOrNull toDateTime64 toInt64 toFloat64 trunc now64 toDate toDateTime subtractDays toString isDistinctFrom isNotDistinctFrom equals notEquals less lessOrEquals greater greaterOrEquals like notLike ilike notILike match concat in notIn has and or not xor ifNull isNull isNotNull if multiIf caseWithExpression array tuple tupleElement arrayElement exists identity toNullable assumeNotNull argMax JSONExtract plus minus multiply divide modulo arrayMap arrayFilter throwIf parseDateTimeOrNull dateTrunc toTimeZone fromUnixTimestamp64Milli any_respect_nulls anyLast_respect_nulls first_value_respect_nulls last_value_respect_nulls timeZoneOffset overlay';
const tables = [...scalarFunctions.values(), ...aggregateFunctions.values(), ...windowFunctions.values()].map(
  (signature) => signature.clickhouse,
);
const allowed = new Set([...ownFunctions.split(' '), ...specialFunctionNames, ...tables]);

/** Whether printed SQL may call a function of that name: one of the language, also combined, or one that the compiler prints by itself. */
export function isAllowedFunction(name: string): boolean {
  if (allowed.has(name)) return true;
  const cut = cutCombinator(name);
  return cut !== undefined && name.endsWith(cut.combinator) && isAllowedFunction(cut.rest);
}
