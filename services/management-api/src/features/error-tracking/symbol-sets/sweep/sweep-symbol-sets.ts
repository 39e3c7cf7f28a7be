import { symbolFolders, symbolIndexKey, symbolUploadKey } from '@millrace/contracts/symbol-objects.ts';
import { keyMadeAtMs, type ObjectStorage } from '@millrace/object-storage/object-storage.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { deleteEach, deleteObjects, removeSets } from '../remove-sets.ts';

interface SweepOptions {
  prisma: PrismaClient;
  storage: ObjectStorage;
  clock: Clock;
  logger: Logger;
}

/** So long an upload may take, and a file that was replaced is kept (contract/decisions 114, 123). */
const keptMs = 24 * 3_600_000;
/** Rows or objects of one step. */
const countMax = 500;

/**
 * Removes what was never finished: uploads that began a day ago, sets that have no file then, files that were replaced a day ago, and
 * objects that no row has named for a day; and indexes of other versions, of files of a day ago. Several processes may do so at once.
 */
export async function sweepSymbolSets(options: SweepOptions): Promise<void> {
  const before = new Date(options.clock.nowMs() - keptMs);
  while ((await sweepUploads(options, before)) === countMax);
  while ((await sweepSets(options, before)) === countMax);
  for (const folder of Object.values(symbolFolders)) await sweepObjects(options, before, folder);
}

async function sweepUploads({ prisma, storage, logger }: SweepOptions, before: Date): Promise<number> {
  const ended = await prisma.$transaction(async (transaction) => {
    // A set that is locked is being finished: its uploads are left to the next sweep.
    const rows = await transaction.$queryRaw<{ key: string }[]>`
      SELECT u.key FROM symbol_set_uploads u JOIN symbol_sets s ON s.id = u.symbol_set_id
      WHERE u.started_at < ${before} ORDER BY u.started_at LIMIT ${countMax} FOR NO KEY UPDATE OF s, u SKIP LOCKED`;
    const keys = rows.map(({ key }) => key);
    await transaction.symbolSetUpload.deleteMany({ where: { key: { in: keys } } });
    return keys;
  });
  await deleteObjects({ storage, logger }, ended);
  return ended.length;
}

/** Sets that a failed look-up made are not ours to remove. */
async function sweepSets({ prisma, storage, logger }: SweepOptions, before: Date): Promise<number> {
  const removed = await prisma.$transaction(async (transaction) => {
    const rows = await transaction.$queryRaw<{ id: string }[]>`
      SELECT s.id::text FROM symbol_sets s
      WHERE s.storage_key IS NULL AND s.failure_reason IS NULL AND coalesce(s.last_used_at, s.created_at) < ${before}
        AND NOT EXISTS (SELECT FROM symbol_set_uploads u WHERE u.symbol_set_id = s.id)
      ORDER BY s.id LIMIT ${countMax} FOR UPDATE SKIP LOCKED`;
    return await removeSets(
      transaction,
      null,
      rows.map(({ id }) => id),
    );
  });
  await deleteObjects(
    { storage, logger },
    removed.flatMap(({ keys }) => keys),
  );
  return removed.length;
}

async function sweepObjects({ prisma, storage, logger }: SweepOptions, before: Date, folder: string): Promise<void> {
  let keys: string[] = [];
  const sweepKeys = async (): Promise<void> => {
    const rows = await prisma.$queryRaw<{ key: string }[]>`
      SELECT object.key FROM unnest(${keys}::text[]) AS object(key)
      WHERE NOT EXISTS (SELECT FROM symbol_sets WHERE storage_key = object.key)
        AND NOT EXISTS (SELECT FROM symbol_set_uploads u WHERE u.key = object.key)`;
    await deleteObjects(
      { storage, logger },
      rows.map(({ key }) => key),
    );
    keys = [];
  };
  for await (const key of storage.list(folder)) {
    const upload = symbolUploadKey(key);
    const madeAtMs = keyMadeAtMs(upload);
    if (madeAtMs === undefined) continue;
    // Keys come in the order in which they were made.
    if (madeAtMs >= before.getTime()) break;
    // An index has the name of its upload, and goes with it.
    if (key === upload || key === symbolIndexKey(upload)) keys.push(upload);
    else await deleteEach({ storage, logger }, [key]);
    if (keys.length === countMax) await sweepKeys();
  }
  await sweepKeys();
}
