import { randomUUID } from 'node:crypto';
import type { TenantEngine } from './tenant-engine.ts';

/** The rows of a query that we wrote ourselves, parsed. @throws {AppError} as `TenantEngine.run` does */
export async function askRows<Row>(engine: TenantEngine, query: Omit<Parameters<TenantEngine['run']>[0], 'queryId'>): Promise<Row[]> {
  const answer = await engine.run({ ...query, queryId: randomUUID() });
  return (JSON.parse(answer.toString()) as { data: Row[] }).data;
}
