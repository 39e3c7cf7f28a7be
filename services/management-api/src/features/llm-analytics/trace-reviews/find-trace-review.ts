import { String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../../../context.ts';
import { readReview } from './review-queries.ts';
import type { StoredReview } from './stored-review.ts';

/** A review in a path. A text that is no UUID is the id of none. */
export const ReviewId = StringType({
  description: 'Id of the review.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

interface NamedCall {
  params: { review_id: string };
  auth: Pick<ProjectAccess, 'project'>;
  context: Pick<Context, 'prisma'>;
}

/** The review of the path. @throws {AppError} not_found: unknown, deleted, or of another project */
export async function findTraceReview({ params, auth, context }: NamedCall): Promise<StoredReview> {
  const { review_id: id } = params;
  return (isUuid(id) ? await readReview(context.prisma, auth.project.id, id) : null) ?? raiseNoReview(id);
}

/** @throws {AppError} not_found */
export function raiseNoReview(id: string): never {
  throw notFound('This project has no trace review with the id', id);
}
