import { Boolean, Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { pageQuery } from '@millrace/http/pagination.ts';
import { choiceOf } from '../../../lists/list-choice.ts';
import type { Order } from '../../../lists/list-order.ts';

const orders = ['created_at', 'ref', 'last_used'] as const;
const statuses = ['all', 'valid', 'invalid'] as const;

/** A column by which the list is ordered. */
export type SetOrder = (typeof orders)[number];

const choices = orders.flatMap((name) => [name, `-${name}`]);

/** Query parameters of the list (contract/orgs-errors 3.3). Empty ones count as absent. */
export const SymbolSetQuery = ObjectType({
  ...pageQuery,
  ref: Optional(StringType({ description: 'Exactly this chunk id or URL.', examples: ['a1b2'] })),
  search: Optional(
    StringType({
      description: 'A text that the ref, or version, program or git commit of the release contains, in any case.',
      examples: ['1.4'],
    }),
  ),
  status: Optional(
    StringType({
      description: '`valid`: with a file; `invalid`: without one, yet or at all; `all` (default).',
      examples: ['valid'],
    }),
  ),
  order_by: Optional(
    StringType({
      description: `${choices.map((name) => `\`${name}\``).join(', ')}. Default: \`-created_at\`. A set that was never used is the oldest by use.`,
      examples: ['-last_used'],
    }),
  ),
  include_count: Optional(Boolean({ description: 'false: `count` is null.', examples: [true] })),
});

/** Filters and order of a list; null: no filter. */
export interface SetListing {
  ref: string | null;
  search: string | null;
  status: (typeof statuses)[number];
  order: Order<SetOrder>;
}

/** Reads the query of a call. Pure. @throws {AppError} invalid_choice on `status` or `order_by` */
export function readSetQuery(query: Static<typeof SymbolSetQuery>): SetListing {
  const order = choiceOf('order_by', query.order_by || '-created_at', choices);
  return {
    ref: query.ref || null,
    search: query.search?.trim() || null,
    status: choiceOf('status', query.status || 'all', statuses),
    order: { by: order.replace('-', '') as SetOrder, descending: order.startsWith('-') },
  };
}
