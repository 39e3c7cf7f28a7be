import type { Pool } from '@millrace/postgres/pool.ts';

/** A statement with its bound values; the name makes Postgres plan it once a connection. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** The part of a `pg` pool that the stores use. */
export interface Queryable {
  query<Row extends object>(statement: Statement): Promise<{ rows: Row[] }>;
}

/** A database that also runs several statements as one: all of them or none. */
export interface Database extends Queryable {
  /** Commits when the work resolves; otherwise nothing of it was done, and what it threw is thrown. */
  transaction<T>(work: (db: Queryable) => Promise<T>): Promise<T>;
}

/** The database with a callback. `onSign` is called when a statement is sent and when its result arrives: the database is alive. */
export function withSigns(db: Database, onSign: () => void): Database {
  const reporting = (one: Queryable): Queryable => ({
    async query<Row extends object>(statement: Statement) {
      onSign();
      const result = await one.query<Row>(statement);
      onSign();
      return result;
    },
  });
  return { ...reporting(db), transaction: (work) => db.transaction((one) => work(reporting(one))) };
}

/** A pool, with every statement counted by its name. */
export function counted(pool: Pool, statements: { inc(labels: { statement: string }): void }): Database {
  const count = (db: Queryable): Queryable => ({
    query: (statement) => {
      statements.inc({ statement: statement.name });
      return db.query(statement);
    },
  });
  return {
    ...count(pool),
    async transaction(work) {
      const client = await pool.connect();
      let lost: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work(count(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        // A connection in an unknown state is not used again: that ends the transaction as well.
        lost = error instanceof Error ? error : new Error(String(error));
        throw error;
      } finally {
        client.release(lost);
      }
    },
  };
}
