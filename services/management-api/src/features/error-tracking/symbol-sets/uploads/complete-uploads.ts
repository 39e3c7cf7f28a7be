import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import type { ProjectAccess } from '../../../../auth/granted-access.ts';
import type { Context } from '../../context.ts';
import { describeSet, recordSets } from '../record-sets.ts';
import { deleteObjects } from '../remove-sets.ts';
import { copyUploads, type FileOfSet, forgetCopies, forgetUploads, movedOf } from './copy-uploads.ts';
import { dropUploads } from './drop-uploads.ts';
import { findUploads, type FoundFile } from './find-uploads.ts';
import { nameSome } from './name-some.ts';
import { requireStorage } from './presign-upload.ts';
import { fileBytesMax } from './upload-request.ts';

type Auth = Pick<ProjectAccess, 'project' | 'caller'>;

interface Complete {
  context: Pick<Context, 'prisma' | 'storage' | 'clock' | 'logger'>;
  auth: Auth;
  /** Content hashes by id of the set. */
  hashes: ReadonlyMap<string, string>;
}

/** Others may change the sets between the look at their files and the transaction. */
const triesMax = 5;

/**
 * Makes uploaded files those of their sets: of all, or of none. What was their file stays for a day, for readers in flight.
 * @throws {AppError} as `findUploads`; file_too_large: the uploads that it names are gone, and with them sets that have no other file
 */
export async function completeUploads({ context, auth, hashes }: Complete): Promise<void> {
  const storage = requireStorage(context);
  for (let tries = 0; tries < triesMax; tries++) {
    const files = await findUploads(context.prisma, storage, { projectId: auth.project.id, hashes });
    const bad = files.filter(({ sizeBytes }) => sizeBytes === 0 || sizeBytes > fileBytesMax);
    if (bad.length > 0) await refuse(context, auth, bad);
    const copied = await copyUploads(context, files);
    if (copied === undefined) continue;
    const now = new Date(context.clock.nowMs());
    if (await context.prisma.$transaction((transaction) => putInPlace(transaction, { auth, files: copied, now })))
      return await forgetUploads(context, copied);
    await forgetCopies(context, copied);
  }
  throw new AppError('unavailable', { detail: 'Others are changing the same symbol sets. Try again shortly.' });
}

async function refuse(context: Complete['context'], auth: Auth, bad: readonly FoundFile[]): Promise<never> {
  const keys = await context.prisma.$transaction((transaction) => dropUploads(transaction, auth, bad));
  await deleteObjects(context, keys);
  throw new AppError('file_too_large', {
    detail: `Files of symbol sets have 1 to ${fileBytesMax} bytes; others: ${nameSome(bad.map(({ set }) => set))}.`,
  });
}

/** False: a set or an upload is not there any more, and nothing is changed. */
async function putInPlace(
  transaction: Prisma.TransactionClient,
  { auth, files, now }: { auth: Auth; files: readonly FileOfSet[]; now: Date },
): Promise<boolean> {
  const ids = files.map(({ set }) => set.id);
  await transaction.$queryRaw`SELECT FROM symbol_sets WHERE id = ANY(${ids}::uuid[]) ORDER BY ref FOR NO KEY UPDATE`;
  const sets = await transaction.symbolSet.findMany({ where: { id: { in: ids } }, include: { uploads: true } });
  const before = new Map(sets.map((set) => [set.id, set]));
  const isThere = ({ set: { id }, uploadKey }: FileOfSet): boolean =>
    before.get(id)?.storageKey === uploadKey || before.get(id)?.uploads.some(({ key }) => key === uploadKey) === true;
  if (!files.every(isThere)) return false;
  const moved = movedOf(files);
  await transaction.symbolSetUpload.deleteMany({ where: { key: { in: moved.map(({ uploadKey }) => uploadKey) } } });
  await keepReplaced(transaction, moved, now);
  await transaction.$executeRaw`
    UPDATE symbol_sets SET storage_key = file.key, content_hash = file.hash, failure_reason = NULL
    FROM jsonb_to_recordset(${rowsOf(files)}::jsonb) AS file(id uuid, key text, hash text) WHERE symbol_sets.id = file.id`;
  await noteLate(transaction, auth, moved);
  await recordSets(
    transaction,
    auth,
    files.flatMap(({ set: { id }, key, contentHash }) => {
      const was = before.get(id);
      if (was === undefined) return [];
      const after = { ...describeSet({ ...was, storageKey: key }), content_hash: contentHash };
      return [{ id, activity: 'updated', before: { ...describeSet(was), content_hash: was.contentHash }, after }];
    }),
  );
  return true;
}

/** Seconds in which a consumer hears of the file, and stores exceptions that it has begun without it. */
const lateWaitSeconds = 30;

/** Stored exceptions that need these files are resolved anew by the consumer (contract/decisions 109). */
async function noteLate(transaction: Prisma.TransactionClient, { project }: Auth, files: readonly FileOfSet[]) {
  if (files.length === 0) return;
  const noted = JSON.stringify(files.map(({ set: { ref } }) => ({ project_id: project.id, ref })));
  await transaction.$executeRaw`SELECT note_late_maps(${noted}::json, ${lateWaitSeconds}::integer)`;
}

const rowsOf = (files: readonly FileOfSet[]): string =>
  JSON.stringify(files.map(({ set: { id }, key, contentHash: hash }) => ({ id, key, hash })));

/** Files of today, whose place others take. */
async function keepReplaced(
  transaction: Prisma.TransactionClient,
  moved: readonly FileOfSet[],
  now: Date,
): Promise<void> {
  const ids = moved.map(({ set: { id } }) => id);
  await transaction.$executeRaw`
    INSERT INTO symbol_set_uploads (key, symbol_set_id, started_at, replaced_at)
    SELECT storage_key, id, ${now}, ${now} FROM symbol_sets WHERE id = ANY(${ids}::uuid[]) AND storage_key IS NOT NULL`;
}
