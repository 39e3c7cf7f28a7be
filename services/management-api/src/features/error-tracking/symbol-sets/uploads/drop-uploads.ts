import type { Prisma } from '@millrace/postgres/generated/client.ts';
import type { ProjectAccess } from '../../../../auth/granted-access.ts';
import { describeSet, recordSets } from '../record-sets.ts';
import { removeSets } from '../remove-sets.ts';
import { withUploads, type FoundFile } from './find-uploads.ts';

/** Forgets uploads whose files are no good, and the sets that have no other file and no other upload. Returns the keys of objects that may go. */
export async function dropUploads(
  transaction: Prisma.TransactionClient,
  auth: Pick<ProjectAccess, 'project' | 'caller'>,
  bad: readonly FoundFile[],
): Promise<string[]> {
  const ids = bad.map(({ set: { id } }) => id);
  await transaction.$queryRaw`SELECT FROM symbol_sets WHERE id = ANY(${ids}::uuid[]) ORDER BY ref FOR NO KEY UPDATE`;
  const keys = bad.map(({ key }) => key);
  await transaction.symbolSetUpload.deleteMany({ where: { key: { in: keys } } });
  const sets = await transaction.symbolSet.findMany({ where: { id: { in: ids } }, ...withUploads });
  const empty = sets.filter(({ storageKey, uploads }) =>
    storageKey === null ? uploads.length === 0 : keys.includes(storageKey),
  );
  const removed = await removeSets(
    transaction,
    auth.project.id,
    empty.map(({ id }) => id),
  );
  await recordSets(
    transaction,
    auth,
    removed.map((set) => ({ id: set.id, activity: 'deleted', before: describeSet(set) })),
  );
  return [...new Set([...keys, ...removed.flatMap((set) => set.keys)])];
}
