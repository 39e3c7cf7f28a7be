import type { Counter } from '@millrace/runtime/metrics.ts';

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

/** The same, with every statement counted by its name. */
export function counted(db: Queryable, statements: Counter<'statement'>): Queryable {
  return {
    query: (statement) => {
      statements.inc({ statement: statement.name });
      return db.query(statement);
    },
  };
}
