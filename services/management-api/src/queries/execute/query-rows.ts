import { randomUUID } from 'node:crypto';
import type { CompiledQuery } from '@millrace/query-language/compile.ts';
import type { TenantEngine } from './tenant-engine.ts';

type QueryOptions = Omit<Parameters<TenantEngine['run']>[0], 'sql' | 'params' | 'queryId'>;

/** The parsed rows of a query of our own: up to `rowLimit`, and one more when there are more. @throws {AppError} as `TenantEngine.run` does */
export async function queryRows<Row>(
  engine: TenantEngine,
  { sql, params }: CompiledQuery,
  options: QueryOptions,
): Promise<Row[]> {
  const response = await engine.run({ sql, params, queryId: randomUUID(), ...options });
  return (JSON.parse(response.toString()) as { data: Row[] }).data;
}
