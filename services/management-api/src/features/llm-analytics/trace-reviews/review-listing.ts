import { Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { pageQuery } from '@millrace/http/pagination.ts';
import { orderParameter, piecesOf, readOrder, type Order } from '../../../lists/list-order.ts';
import { readQueryText, readQueryUuid } from '../fields/query-text.ts';

const orders = ['updated_at', 'created_at'] as const;
export type ReviewOrder = (typeof orders)[number];

/** Query parameters of the list (contract/llm-surveys 4.1). Empty ones count as absent. */
export const TraceReviewQuery = ObjectType({
  ...pageQuery,
  trace_id: Optional(StringType({ description: 'Exactly this trace.', examples: ['trace-1'] })),
  trace_id__in: Optional(StringType({ description: 'Traces, separated by commas.', examples: ['trace-1,trace-2'] })),
  definition_id: Optional(
    StringType({
      description: 'Reviews with a score of this definition.',
      examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
    }),
  ),
  definition_id__in: Optional(
    StringType({
      description: 'Reviews with a score of one of these definitions, separated by commas.',
      examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
    }),
  ),
  search: Optional(
    StringType({ description: 'A text that the trace or the comment contains, in any case.', examples: ['refund'] }),
  ),
  order_by: Optional(orderParameter(orders, 'the last change, newest first')),
});

/** Filters and order of a list; null: no filter. */
export interface ReviewListing {
  traceId: string | null;
  traceIds: readonly string[] | null;
  definitionId: string | null;
  definitionIds: readonly string[] | null;
  search: string | null;
  order: readonly Order<ReviewOrder>[];
}

/** Reads the query of a call. Pure. @throws {AppError} 400 on a parameter */
export function readReviewQuery(query: Static<typeof TraceReviewQuery>): ReviewListing {
  const order = readOrder(query.order_by, orders);
  const traceIds = piecesOf(query.trace_id__in);
  const definitionIds = piecesOf(query.definition_id__in).flatMap((id) => readQueryUuid('definition_id__in', id) ?? []);
  return {
    traceId: readQueryText(query.trace_id),
    traceIds: traceIds.length > 0 ? traceIds : null,
    definitionId: readQueryUuid('definition_id', query.definition_id),
    definitionIds: definitionIds.length > 0 ? definitionIds : null,
    search: readQueryText(query.search),
    order: order.length > 0 ? order : [{ by: 'updated_at', descending: true }],
  };
}
