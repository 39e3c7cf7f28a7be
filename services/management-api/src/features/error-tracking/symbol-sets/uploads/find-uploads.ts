import { AppError } from '@millrace/http/errors/errors.ts';
import type { ObjectStorage } from '@millrace/object-storage/object-storage.ts';
import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { nameSome } from './name-some.ts';

/** Uploads that may still be finished, the latest first. */
export const withUploads = {
  include: { uploads: { where: { replacedAt: null }, orderBy: [{ startedAt: 'desc' }, { key: 'desc' }] } },
} satisfies Prisma.SymbolSetDefaultArgs;

type UploadingSet = Prisma.SymbolSetGetPayload<typeof withUploads>;

/** The file that a set is to have. */
export interface FoundFile {
  set: UploadingSet;
  contentHash: string;
  key: string;
  sizeBytes: number;
}

/**
 * The uploaded files of sets, by set and content hash.
 * @throws {AppError} symbol_set_not_found, file_not_found, which name all the sets that they are about; unavailable: the storage is away
 */
export async function findUploads(
  prisma: Pick<PrismaClient, 'symbolSet'>,
  storage: ObjectStorage,
  { projectId, hashes }: { projectId: number; hashes: ReadonlyMap<string, string> },
): Promise<FoundFile[]> {
  const ids = [...hashes.keys()];
  const sets = await prisma.symbolSet.findMany({
    where: { projectId, id: { in: ids.filter(isUuid) } },
    ...withUploads,
  });
  const known = new Set(sets.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id)).map((ref) => ({ ref }));
  if (unknown.length > 0)
    throw new AppError('symbol_set_not_found', {
      detail: `This project has no symbol set with the id ${nameSome(unknown)}.`,
    });
  const files: FoundFile[] = [];
  const missing: UploadingSet[] = [];
  for (let at = 0; at < sets.length; at += atOnce) {
    const part = sets.slice(at, at + atOnce);
    const found = await Promise.all(part.map((set) => findFile(storage, set, hashes.get(set.id) ?? '')));
    found.forEach((file, index) => (file ? files.push(file) : missing.push(...part.slice(index, index + 1))));
  }
  if (missing.length > 0)
    throw new AppError('file_not_found', { detail: `Files of symbol sets were not uploaded: ${nameSome(missing)}.` });
  return files;
}

const atOnce = 10;

async function findFile(
  storage: ObjectStorage,
  set: UploadingSet,
  contentHash: string,
): Promise<FoundFile | undefined> {
  for (const key of candidates(set, contentHash)) {
    const head = await storage.head(key).catch((cause: unknown) => {
      throw new AppError('unavailable', { cause });
    });
    if (head !== undefined) return { set, contentHash, key, sizeBytes: head.sizeBytes };
  }
  return undefined;
}

/**
 * Objects that may hold the content with this hash, the likeliest first. Two builds may upload the same set at once: what one of them
 * announced is never taken for the other's, and a call that is made again finds its file in place. Pure.
 */
export function candidates(
  { storageKey, contentHash: storedHash, uploads }: Pick<UploadingSet, 'storageKey' | 'contentHash' | 'uploads'>,
  contentHash: string,
): string[] {
  const announced = (hash: string | null): string[] =>
    uploads.filter((upload) => upload.contentHash === hash).map(({ key }) => key);
  const stored = storageKey === null ? [] : [storageKey];
  const same = [...(storedHash === contentHash ? stored : []), ...announced(contentHash)];
  if (same.length > 0) return same;
  if (announced(null).length > 0) return announced(null);
  // The client says another hash than it announced.
  return storageKey === null ? uploads.map(({ key }) => key) : [];
}
