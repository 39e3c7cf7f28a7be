import { String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../../../context.ts';
import { readItem } from './item-queries.ts';
import type { StoredItem } from './stored-item.ts';

/** An item in a path. A text that is no UUID is the id of none. */
export const ItemId = StringType({
  description: 'Id of the item.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

interface NamedCall {
  params: { item_id: string };
  auth: Pick<ProjectAccess, 'project'>;
  context: Pick<Context, 'prisma'>;
}

/** The item of the path. @throws {AppError} not_found: unknown, deleted or reviewed, or of another project */
export async function findReviewQueueItem({ params, auth, context }: NamedCall): Promise<StoredItem> {
  const { item_id: id } = params;
  return (isUuid(id) ? await readItem(context.prisma, auth.project.id, id) : null) ?? raiseNoItem(id);
}

/** @throws {AppError} not_found */
export function raiseNoItem(id: string): never {
  throw notFound('This project has no review queue item with the id', id);
}
