import { String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../../../context.ts';
import { readQueue } from './queue-queries.ts';
import type { StoredQueue } from './stored-queue.ts';

/** A queue in a path. A text that is no UUID is the id of none. */
export const QueueId = StringType({
  description: 'Id of the review queue.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

interface NamedCall {
  params: { queue_id: string };
  auth: Pick<ProjectAccess, 'project'>;
  context: Pick<Context, 'prisma'>;
}

/** The queue of the path. @throws {AppError} not_found: unknown, deleted, or of another project */
export async function findReviewQueue({ params, auth, context }: NamedCall): Promise<StoredQueue> {
  const { queue_id: id } = params;
  return (isUuid(id) ? await readQueue(context.prisma, auth.project.id, id) : null) ?? raiseNoQueue(id);
}

/** The id of the queue of the path, whose items are not counted. @throws {AppError} not_found: as above */
export async function findQueueId({ params, auth, context }: NamedCall): Promise<string> {
  const { queue_id: id } = params;
  const where = { id: id.toLowerCase(), projectId: auth.project.id, deletedAt: null };
  const found = isUuid(id) ? await context.prisma.reviewQueue.findFirst({ where, select: { id: true } }) : null;
  return found?.id ?? raiseNoQueue(id);
}

/** @throws {AppError} not_found */
export function raiseNoQueue(id: string): never {
  throw notFound('This project has no review queue with the id', id);
}
