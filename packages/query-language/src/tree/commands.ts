import type { Span } from '../query-error.ts';
import type { Field } from './expressions.ts';
import type { Statement } from './statements.ts';

// Ours: questions about the language itself and about queries. They are no part of a statement.

/** `SHOW TABLES [LIKE 'pattern']`. */
export interface ShowTables extends Span {
  node: 'ShowTables';
  like?: { pattern: string; anyCase: boolean };
}

/** `DESCRIBE events`, `SHOW COLUMNS FROM events`. */
interface DescribeTable extends Span {
  node: 'DescribeTable';
  table: Field;
}

/** `DESCRIBE (SELECT …)`. */
interface DescribeQuery extends Span {
  node: 'DescribeQuery';
  query: Statement;
}

/** `EXPLAIN SELECT …`. */
interface ExplainQuery extends Span {
  node: 'ExplainQuery';
  query: Statement;
}

export type Command = ShowTables | DescribeTable | DescribeQuery | ExplainQuery;

/** A statement or a command: what one text holds. */
export type Request = Statement | Command;
