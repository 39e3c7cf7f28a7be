import type { Prisma } from '@millrace/postgres/generated/client.ts';
import type { Pool } from '@millrace/postgres/pool.ts';

/**
 * Runs a statement past Prisma, under a name by which each connection knows its plan: for statements that are always the same but for their
 * values, in calls that have to be fast. Rows are as `$queryRaw` returns them, errors those of the driver.
 */
export type RunPrepared = <Row extends object>(name: string, statement: Prisma.Sql) => Promise<Row[]>;

/** Statements of a pool. */
export function createPreparedStatements(pool: Pick<Pool, 'query'>): RunPrepared {
  return async <Row extends object>(name: string, { text, values }: Prisma.Sql): Promise<Row[]> =>
    (await pool.query<Row>({ name, text, values })).rows;
}
