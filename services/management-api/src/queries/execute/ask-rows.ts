import { randomUUID } from 'node:crypto';
import type { CompiledQuery } from '@millrace/query-language/compile.ts';
import type { TenantEngine } from './tenant-engine.ts';

type Asker = Omit<Parameters<TenantEngine['run']>[0], 'sql' | 'params' | 'queryId'>;

/** The rows of a query that we wrote ourselves, parsed: `rowLimit` of them, and maybe one more. @throws {AppError} as `TenantEngine.run` does */
export async function askRows<Row>(engine: TenantEngine, { sql, params }: CompiledQuery, asker: Asker): Promise<Row[]> {
  const answer = await engine.run({ sql, params, queryId: randomUUID(), ...asker });
  return (JSON.parse(answer.toString()) as { data: Row[] }).data;
}
