import { costOf, spend } from '../budget.ts';
import type { ResolvedQuery } from '../resolved.ts';
import { logicalTables } from '../schema/logical-schema.ts';
import type { Command } from '../tree/commands.ts';
import type { Statement } from '../tree/statements.ts';
import type { QueryValue } from '../values.ts';
import { describeTable } from './describe-table.ts';
import { explainQuery } from './explain-query.ts';
import { typeName } from './type-name.ts';

/** A SELECT of ours whose rows are the result of a command, and the lists of its placeholders. */
export interface CommandResponse {
  text: string;
  values: Readonly<Record<string, QueryValue>>;
}

/** Resolves and checks the query that the command is about. */
type Resolver = (query: Statement) => ResolvedQuery;

// Rows of lists that are laid side by side, in their order.
const rowsOf = (...columns: string[]): string =>
  `SELECT ${columns.join(', ')} FROM numbers(1) ARRAY JOIN ${columns.map((column) => `{${column}} AS ${column}`).join(', ')}, arrayEnumerate({${columns[0]}}) AS place`;
const inOrder = 'ORDER BY place';

const tables = rowsOf('name', 'comment');
const columnsOfTable = `${rowsOf('name', 'type', 'in_star')} ${inOrder}`;
const columnsOfQuery = `${rowsOf('name', 'type')} ${inOrder}`;
const plan = `${rowsOf('explain')} ${inOrder}`;

/**
 * The result of SHOW, DESCRIBE or EXPLAIN, made of the schema and of the query's own words. ClickHouse's own plans are
 * not read, because they show row policies, tokens and tables of ours. Throws `SpanError`. `text` is the command as
 * written.
 */
export function commandResponse(command: Command, text: string, resolved: Resolver): CommandResponse {
  switch (command.node) {
    case 'ShowTables': {
      const { pattern, anyCase } = command.like ?? { pattern: '%', anyCase: false };
      const known = [...logicalTables.values()];
      return {
        text: `${tables} WHERE name ${anyCase ? 'ILIKE' : 'LIKE'} {pattern} ${inOrder}`,
        values: { name: known.map(({ name }) => name), comment: known.map(({ comment }) => comment), pattern },
      };
    }
    case 'DescribeTable': {
      const columns = describeTable(command.table);
      return {
        text: columnsOfTable,
        values: {
          name: columns.map(({ name }) => name),
          type: columns.map(({ type }) => type),
          in_star: columns.map(({ inStar }) => inStar),
        },
      };
    }
    case 'DescribeQuery': {
      const { columns } = resolved(command.query);
      spend(columns.length * costOf.column, command);
      return {
        text: columnsOfQuery,
        values: { name: columns.map(({ name }) => name), type: columns.map(({ type }) => typeName(type)) },
      };
    }
    case 'ExplainQuery':
      return { text: plan, values: { explain: explainQuery(resolved(command.query), text) } };
  }
}
