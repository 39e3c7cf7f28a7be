import { Integer, Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { summarizeUser, UserOrNull } from '../../../accounts/user-summary.ts';
import { readText, textField } from '../fields/text-field.ts';
import type { StoredQueue } from './stored-queue.ts';

/** A queue of traces that wait for a review (spec 2, contract/llm-surveys 2.1). */
export const ReviewQueue = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    name: StringType({ examples: ['Complaints'] }),
    pending_item_count: Integer({ description: 'Traces that wait in it.', examples: [3] }),
    created_at: StringType({ format: 'date-time' }),
    updated_at: StringType({ format: 'date-time' }),
    created_by: UserOrNull,
    team: Integer({ description: 'The project.' }),
  },
  { title: 'ReviewQueue' },
);

const name = (example: string) =>
  textField({
    description: 'At most 255 characters. Unique among the queues of the project; the name of a deleted one is free.',
    examples: [example],
  });

/** Body of create. */
export const ReviewQueueBody = ObjectType({ name: name('Complaints') }, { title: 'ReviewQueueCreate' });

/** Body of PATCH. */
export const ReviewQueueChange = ObjectType(
  { name: Optional(name('Complaints of May')) },
  { title: 'ReviewQueueUpdate' },
);

const nameLengthMax = 255;

/** The name as it is stored. Pure. @throws {AppError} blank or max_length on `name` */
export const readQueueName = (value: string | number): string => readText('name', value, nameLengthMax);

/** Pure. */
export function renderQueue(row: StoredQueue): Static<typeof ReviewQueue> {
  return {
    id: row.id,
    name: row.name,
    pending_item_count: row.pendingItemCount,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    created_by: summarizeUser(row.createdBy),
    team: row.projectId,
  };
}
