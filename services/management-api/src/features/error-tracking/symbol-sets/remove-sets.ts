import { symbolIndexKey } from '@millrace/contracts/symbol-objects.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import type { Context } from '../context.ts';

/** A set that was removed, with the keys of all its objects. */
interface RemovedSet {
  id: string;
  projectId: number;
  ref: string;
  releaseId: string | null;
  storageKey: string | null;
  keys: string[];
}

/**
 * Removes sets of a project (null: of any): the one place that does. Their unresolved stack frames go with them, resolved ones stay
 * (contract/orgs-errors 3.3). Objects are removed by `deleteObjects`, after the transaction.
 */
export async function removeSets(
  transaction: Prisma.TransactionClient,
  projectId: number | null,
  ids: readonly string[],
): Promise<RemovedSet[]> {
  if (ids.length === 0) return [];
  // Locked before their uploads are read: no upload begins between the two. In the order in which uploads lock them.
  const locked = await transaction.$queryRaw<RemovedSet[]>`
    SELECT id::text, project_id AS "projectId", ref, release_id::text AS "releaseId", storage_key AS "storageKey" FROM symbol_sets
    WHERE id = ANY(${[...ids]}::uuid[]) AND (${projectId}::integer IS NULL OR project_id = ${projectId}::integer) ORDER BY project_id, ref FOR UPDATE`;
  const found = locked.map(({ id }) => id);
  const uploads = await transaction.symbolSetUpload.findMany({
    where: { symbolSetId: { in: found } },
    select: { key: true, symbolSetId: true },
  });
  await transaction.stackFrame.deleteMany({ where: { symbolSetId: { in: found }, resolved: false } });
  await transaction.symbolSet.deleteMany({ where: { id: { in: found } } });
  const keysOf = Map.groupBy(uploads, ({ symbolSetId }) => symbolSetId);
  return locked.map((set) => ({
    ...set,
    keys: [...(keysOf.get(set.id) ?? []).map(({ key }) => key), ...(set.storageKey === null ? [] : [set.storageKey])],
  }));
}

const atOnce = 10;

/** Deletes uploads that no row names any more, and what was compiled of them. One that cannot be deleted is logged, and left to the sweep. */
export const deleteObjects = (parts: Pick<Context, 'storage' | 'logger'>, keys: readonly string[]): Promise<void> =>
  deleteEach(
    parts,
    keys.flatMap((key) => [symbolIndexKey(key), key]),
  );

/** Deletes these objects alone. One that cannot be deleted is logged. */
export async function deleteEach(
  { storage, logger }: Pick<Context, 'storage' | 'logger'>,
  objects: readonly string[],
): Promise<void> {
  if (storage === undefined) return;
  for (let at = 0; at < objects.length; at += atOnce) {
    const outcomes = await Promise.allSettled(objects.slice(at, at + atOnce).map((key) => storage.delete(key)));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        logger.warn({ err: outcome.reason as unknown }, 'an object was not deleted yet');
  }
}
