import { symbolFolders } from '@millrace/contracts/symbol-objects.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { newObjectKey } from '@millrace/object-storage/object-storage.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import type { ProjectAccess } from '../../../../auth/granted-access.ts';
import type { Context } from '../../context.ts';
import { describeSet, recordSets, type SetChange } from '../record-sets.ts';
import { decideUploads } from './decide-uploads.ts';
import { markUsed } from './mark-used.ts';
import { requireReleases } from './require-releases.ts';
import type { Offer, OfferedSet } from './upload-request.ts';

/** An upload that may begin. */
export interface BegunUpload extends OfferedSet {
  setId: string;
  /** Key of the object for its file. */
  key: string;
}

/** A row that is locked until the transaction ends. */
interface LockedSet {
  id: string;
  ref: string;
  releaseId: string | null;
  contentHash: string | null;
  storageKey: string | null;
}

interface Begin {
  context: Pick<Context, 'clock'>;
  auth: Pick<ProjectAccess, 'project' | 'caller'>;
  offer: Offer;
  /** A key for the object of an upload; default: a new one. */
  newKey?: () => string;
}

/**
 * Makes the sets that are not there, and rows for those uploads that the decision table wants. A set keeps its file until another is
 * finished; until then it has no content hash. Of two calls with the same set one waits.
 * @throws {AppError} as `requireReleases` and `decideUploads`; then the transaction must end without effect
 */
export async function beginUploads(
  transaction: Prisma.TransactionClient,
  { context: { clock }, auth, offer: given, newKey = () => newObjectKey(symbolFolders.uploads, clock.nowMs()) }: Begin,
): Promise<BegunUpload[]> {
  const now = new Date(clock.nowMs());
  const { project } = auth;
  const offer = await requireReleases(transaction, project.id, given);
  const refs = offer.sets.map(({ ref }) => ref);
  if (refs.length === 0) return [];
  const made = await insertMissing(transaction, { projectId: project.id, sets: offer.sets, now });
  const locked = await lockSets(transaction, project.id, refs);
  const byRef = new Map(locked.map((set) => [set.ref, set]));
  const { upload, bind } = decideUploads(offer, byRef);
  const begun = upload.flatMap((set): BegunUpload[] => {
    const setId = byRef.get(set.ref)?.id;
    return setId === undefined ? [] : [{ ...set, setId, key: newKey() }];
  });
  await insertUploads(transaction, begun, now);
  await bindReleases(transaction, bind, byRef);
  await markUsed(transaction, { projectId: project.id, refs, now });
  await recordSets(transaction, auth, [
    ...locked.filter(({ id }) => made.has(id)).map((set) => createdSet(set)),
    ...bind.map((set) => boundSet(set, byRef.get(set.ref))).filter((change) => change !== undefined),
  ]);
  return begun;
}

async function insertMissing(
  transaction: Prisma.TransactionClient,
  { projectId, sets, now }: { projectId: number; sets: readonly OfferedSet[]; now: Date },
): Promise<ReadonlySet<string>> {
  const rows = JSON.stringify(
    sets.map(({ ref, releaseId }) => ({ id: uuidV7(now.getTime()), ref, release_id: releaseId })),
  );
  // In the order in which others insert and lock them.
  const made = await transaction.$queryRaw<{ id: string }[]>`
    INSERT INTO symbol_sets (id, project_id, ref, release_id, created_at, last_used_at)
    SELECT id, ${projectId}, ref, release_id, ${now}, ${now} FROM jsonb_to_recordset(${rows}::jsonb) AS row(id uuid, ref text, release_id uuid) ORDER BY ref
    ON CONFLICT (project_id, ref) DO NOTHING RETURNING id::text`;
  return new Set(made.map(({ id }) => id));
}

async function lockSets(
  transaction: Prisma.TransactionClient,
  projectId: number,
  refs: readonly string[],
): Promise<LockedSet[]> {
  return await transaction.$queryRaw<LockedSet[]>`
    SELECT id::text, ref, release_id::text AS "releaseId", content_hash AS "contentHash", storage_key AS "storageKey" FROM symbol_sets
    WHERE project_id = ${projectId} AND ref = ANY(${[...refs]}) ORDER BY ref FOR NO KEY UPDATE`;
}

async function insertUploads(
  transaction: Prisma.TransactionClient,
  begun: readonly BegunUpload[],
  startedAt: Date,
): Promise<void> {
  if (begun.length === 0) return;
  const data = begun.map(({ key, setId, contentHash }) => ({ key, symbolSetId: setId, contentHash, startedAt }));
  await transaction.symbolSetUpload.createMany({ data });
  await transaction.symbolSet.updateMany({
    where: { id: { in: begun.map(({ setId }) => setId) }, NOT: { contentHash: null } },
    data: { contentHash: null },
  });
}

async function bindReleases(
  transaction: Prisma.TransactionClient,
  bind: readonly OfferedSet[],
  byRef: ReadonlyMap<string, LockedSet>,
): Promise<void> {
  const byRelease = Map.groupBy(bind, ({ releaseId }) => releaseId);
  for (const [releaseId, sets] of byRelease) {
    const ids = sets.flatMap(({ ref }) => byRef.get(ref)?.id ?? []);
    await transaction.symbolSet.updateMany({ where: { id: { in: ids } }, data: { releaseId } });
  }
}

const createdSet = (set: LockedSet): SetChange => ({ id: set.id, activity: 'created', after: describeSet(set) });

function boundSet({ releaseId }: OfferedSet, set: LockedSet | undefined): SetChange | undefined {
  return (
    set && { id: set.id, activity: 'updated', before: describeSet(set), after: describeSet({ ...set, releaseId }) }
  );
}
