import type { Prisma } from '@millrace/postgres/generated/client.ts';
import type { Pool } from '@millrace/postgres/pool.ts';

/**
 * Runs a statement past Prisma, under a name by which each connection knows its plan: for statements that are always the same but for their
 * values, in calls that have to be fast. Rows are as `$queryRaw` returns them, errors those of the driver.
 * @throws when the name had another text before in this process: it depends on what a caller sent
 */
export type RunPrepared = <Row extends object>(name: string, statement: Prisma.Sql) => Promise<Row[]>;

/** Statements of a pool. */
export function createPreparedStatements(pool: Pick<Pool, 'query'>): RunPrepared {
  const texts = new Map<string, string>();
  return async <Row extends object>(name: string, { text, values }: Prisma.Sql): Promise<Row[]> => {
    // The driver looks at this connection by connection, so a test would find it by chance.
    const known = texts.get(name);
    if (known === undefined) texts.set(name, text);
    else if (known !== text) throw new Error(`the text of the prepared statement ${name} is not always the same`);
    return (await pool.query<Row>({ name, text, values })).rows;
  };
}
