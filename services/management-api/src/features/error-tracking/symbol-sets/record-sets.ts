import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { recordActivities, type Activity } from '../../../activity-log.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';

/** A set as the activity log shows it. */
interface DescribedSet {
  ref: string;
  release_id: string | null;
  has_uploaded_file: boolean;
  content_hash?: string | null;
}

/** A change of a set. */
export interface SetChange {
  id: string;
  activity: Activity['activity'];
  before?: DescribedSet;
  after?: DescribedSet;
}

/** Pure. */
export const describeSet = (set: {
  ref: string;
  releaseId: string | null;
  storageKey: string | null;
}): DescribedSet => ({
  ref: set.ref,
  release_id: set.releaseId,
  has_uploaded_file: set.storageKey !== null,
});

/** Writes down what a call changed, in its transaction. */
export async function recordSets(
  transaction: Prisma.TransactionClient,
  { project, caller }: Pick<ProjectAccess, 'project' | 'caller'>,
  changes: readonly SetChange[],
): Promise<void> {
  await recordActivities(
    transaction,
    caller,
    changes.map(({ id, activity, before, after }) => ({
      organizationId: project.organizationId,
      projectId: project.id,
      itemType: 'symbol_set',
      itemId: id,
      activity,
      ...(before && { before: { ...before } }),
      ...(after && { after: { ...after } }),
    })),
  );
}
