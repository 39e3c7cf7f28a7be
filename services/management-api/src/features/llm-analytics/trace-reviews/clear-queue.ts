import { Prisma } from '@millrace/postgres/generated/client.ts';

interface Reviewed {
  projectId: number;
  traceId: string;
  /** Null: whichever queue the trace waits in. */
  queueId: string | null;
  now: Date;
}

/**
 * A call that takes a trace that is reviewed out of the queue that it waits in, for a transaction that has written the review. It locks the
 * project (contract/llm-surveys 2.2). Who adds an item does the same and then looks for reviews, so either one sees the other. All reviewers
 * of a project wait for the lock, so little should follow. Pure.
 */
export const clearQueue = ({ projectId, traceId, queueId, now }: Reviewed): Prisma.Sql =>
  Prisma.sql`take_out_of_queue(${projectId}::integer, ${traceId}::text, ${queueId}::uuid, ${now}::timestamptz)`;
