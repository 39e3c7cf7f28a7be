import { Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { pageQuery } from '@millrace/http/pagination.ts';
import { orderParameter, piecesOf, readOrder, type Order } from '../../../lists/list-order.ts';
import { readQueryText, readQueryUuid } from '../fields/query-text.ts';

const orders = ['updated_at', 'created_at'] as const;
export type ItemOrder = (typeof orders)[number];

/** Query parameters of the list (contract/llm-surveys 2.2). Empty ones count as absent. */
export const ReviewQueueItemQuery = ObjectType({
  ...pageQuery,
  queue_id: Optional(
    StringType({ description: 'Items of this queue.', examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'] }),
  ),
  trace_id: Optional(StringType({ description: 'Exactly this trace.', examples: ['trace-1'] })),
  trace_id__in: Optional(StringType({ description: 'Traces, separated by commas.', examples: ['trace-1,trace-2'] })),
  search: Optional(StringType({ description: 'A text that the trace id contains, in any case.', examples: ['trace'] })),
  order_by: Optional(orderParameter(orders, 'the creation, oldest first')),
});

/** Filters and order of a list; null: no filter. */
export interface ItemListing {
  queueId: string | null;
  traceId: string | null;
  traceIds: readonly string[] | null;
  search: string | null;
  order: readonly Order<ItemOrder>[];
}

/** Reads the query of a call. Pure. @throws {AppError} 400 on a parameter */
export function readItemQuery(query: Static<typeof ReviewQueueItemQuery>): ItemListing {
  const order = readOrder(query.order_by, orders);
  const traceIds = piecesOf(query.trace_id__in);
  return {
    queueId: readQueryUuid('queue_id', query.queue_id),
    traceId: readQueryText(query.trace_id),
    traceIds: traceIds.length > 0 ? traceIds : null,
    search: readQueryText(query.search),
    order: order.length > 0 ? order : [{ by: 'created_at', descending: false }],
  };
}
