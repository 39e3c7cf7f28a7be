import type { PreparedEndpointQuery } from '../compile/prepared-endpoint-query.ts';
import type { FilterContext } from '../definition/filters.ts';
import type { VariableValue } from '../definition/variables.ts';
import { momentOfMicros } from '../insights/dates/moments.ts';
import { splitResult } from '../result/result-bytes.ts';
import type { TenantEngine } from './tenant-engine.ts';

type TenantQuery = Parameters<TenantEngine['run']>[0];

/** UTC text of microseconds of the earliest event, where the range of an insight begins with it; else undefined, and nothing is asked. @throws {AppError} as `TenantEngine.run` does */
export async function readEarliest(
  tenantEngine: Pick<TenantEngine, 'run'>,
  prepared: PreparedEndpointQuery,
  values: Readonly<Record<string, VariableValue>>,
  { now, ...caller }: Omit<TenantQuery, 'sql' | 'params'> & { now: FilterContext },
): Promise<string | undefined> {
  const query = prepared.insight?.earliest(values, now);
  if (query === undefined) return undefined;
  const { sql, params } = query;
  const { rows } = splitResult(await tenantEngine.run({ ...caller, sql, params }));
  const [micros] = JSON.parse(Buffer.from(rows).toString()) as [number | null];
  return micros === null ? undefined : momentOfMicros(BigInt(micros));
}
