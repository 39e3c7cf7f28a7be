import { Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { pageQuery } from '@millrace/http/pagination.ts';
import { orderParameter, readOrder, type Order } from '../../../lists/list-order.ts';
import { readQueryText } from '../fields/query-text.ts';

const orders = ['name', 'updated_at', 'created_at'] as const;
export type QueueOrder = (typeof orders)[number];

/** Query parameters of the list (contract/llm-surveys 2.1). Empty ones count as absent. */
export const ReviewQueueQuery = ObjectType({
  ...pageQuery,
  name: Optional(StringType({ description: 'Exactly this name, in this case.', examples: ['Complaints'] })),
  search: Optional(StringType({ description: 'A text that the name contains, in any case.', examples: ['compl'] })),
  order_by: Optional(orderParameter(orders, 'the name')),
});

/** Filters and order of a list; null: no filter. */
export interface QueueListing {
  name: string | null;
  search: string | null;
  order: readonly Order<QueueOrder>[];
}

/** Reads the query of a call. Pure. @throws {AppError} invalid_choice on `order_by` */
export function readQueueQuery(query: Static<typeof ReviewQueueQuery>): QueueListing {
  const order = readOrder(query.order_by, orders);
  return {
    name: readQueryText(query.name),
    search: readQueryText(query.search),
    order: order.length > 0 ? order : [{ by: 'name', descending: false }],
  };
}
