import { String as StringType } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { Prisma } from '@millrace/postgres/generated/client.ts';

/** A column by which a list is ordered. */
export interface Order<Name extends string> {
  by: Name;
  descending: boolean;
}

/** Schema of `order_by`, of a list that can be ordered by these names. */
export function orderParameter(names: readonly string[], usual: string) {
  return StringType({
    description: `${names.map((name) => `\`${name}\``).join(', ')}; \`-\` before a name turns it round; several with commas between. Default: ${usual}.`,
    examples: [`-${names.at(-1)}`],
  });
}

/**
 * Reads `order_by`; nothing but blanks is no order. Pure.
 * @throws {AppError} invalid_choice on `order_by` (contract/llm-surveys 1.4)
 */
export function readOrder<Name extends string>(text: string | undefined, names: readonly Name[]): Order<Name>[] {
  return piecesOf(text).map((piece) => {
    const descending = piece.startsWith('-');
    const by = names.find((name) => name === (descending ? piece.slice(1) : piece));
    if (by !== undefined) return { by, descending };
    throw new AppError('invalid_choice', {
      attr: 'order_by',
      detail: `Select a valid choice. ${piece.slice(0, 100)} is not one of the available choices.`,
    });
  });
}

/** The pieces of a text with commas between, trimmed; empty ones are left out. Pure. */
export function piecesOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

/**
 * `ORDER BY` of these columns. The last column is the id, in the direction of the one before it: so an index of a column and the id
 * has either direction. Pure.
 */
export function orderBy<Name extends string>(
  order: readonly Order<Name>[],
  columns: Readonly<Record<Name | 'id', Prisma.Sql>>,
): Prisma.Sql {
  const last = { by: 'id', descending: order.at(-1)?.descending ?? false } as const;
  return Prisma.join(
    [...order, last].map(({ by, descending }) => (descending ? Prisma.sql`${columns[by]} DESC` : columns[by])),
  );
}
