import { Integer, Object as ObjectType, String as StringType, type Static } from 'typebox';
import { summarizeUser, UserOrNull } from '../../../accounts/user-summary.ts';
import { readTraceId, traceIdField } from '../fields/trace-id.ts';
import type { StoredItem } from './stored-item.ts';

/** A trace that waits in a queue for a review (contract/llm-surveys 2.2). */
export const ReviewQueueItem = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    queue_id: StringType({ format: 'uuid' }),
    queue_name: StringType({ examples: ['Complaints'] }),
    trace_id: StringType({ examples: ['trace-1'] }),
    created_at: StringType({ format: 'date-time' }),
    updated_at: StringType({ format: 'date-time' }),
    created_by: UserOrNull,
    team: Integer({ description: 'The project.' }),
  },
  { title: 'ReviewQueueItem' },
);

const queueId = StringType({
  format: 'uuid',
  description: 'A queue of the project.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

/** Body of create. */
export const ReviewQueueItemBody = ObjectType(
  {
    queue_id: queueId,
    trace_id: traceIdField,
  },
  { title: 'ReviewQueueItemCreate' },
);

/** Body of PATCH: nothing of an item but its queue changes. */
export const ReviewQueueItemChange = ObjectType({ queue_id: queueId }, { title: 'ReviewQueueItemUpdate' });

/** A trace for a queue. */
export interface NewItem {
  queueId: string;
  traceId: string;
}

/** Pure. @throws {AppError} blank or max_length on `trace_id` */
export function readNewItem(body: Static<typeof ReviewQueueItemBody>): NewItem {
  return { queueId: body.queue_id.toLowerCase(), traceId: readTraceId(body.trace_id) };
}

/** Pure. */
export function renderItem(row: StoredItem): Static<typeof ReviewQueueItem> {
  return {
    id: row.id,
    queue_id: row.queueId,
    queue_name: row.queueName,
    trace_id: row.traceId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    created_by: summarizeUser(row.createdBy),
    team: row.projectId,
  };
}

/** Its entry in the activity log. Pure. */
export function loggedItem({ traceId, queueId: queue }: NewItem): Record<string, unknown> {
  return { trace_id: traceId, queue_id: queue };
}
