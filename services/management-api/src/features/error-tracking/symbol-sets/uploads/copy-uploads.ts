import { symbolFolders } from '@millrace/contracts/symbol-objects.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { newObjectKey } from '@millrace/object-storage/object-storage.ts';
import type { Context } from '../../context.ts';
import { deleteObjects } from '../remove-sets.ts';
import { requireStorage } from './presign-upload.ts';
import type { FoundFile } from './find-uploads.ts';

/** The file that a set gets, and the upload whose copy it is. */
export interface FileOfSet extends FoundFile {
  /** Key of the upload, which an address may replace yet; that of the file when it is in place already. */
  uploadKey: string;
}

type Parts = Pick<Context, 'storage' | 'clock' | 'logger'>;

const atOnce = 10;

/**
 * Copies uploads to keys that no address leads to: those of uploads are good for minutes after the finish, and the index of a file is
 * trusted for ever. Undefined: an upload is not there any more.
 * @throws {AppError} unavailable: the storage is away
 */
export async function copyUploads(context: Parts, files: readonly FoundFile[]): Promise<FileOfSet[] | undefined> {
  const storage = requireStorage(context);
  const copied: FileOfSet[] = [];
  let areThere = true;
  for (let at = 0; areThere && at < files.length; at += atOnce) {
    const copies = files.slice(at, at + atOnce).map(async (file) => {
      if (file.key === file.set.storageKey) return void copied.push({ ...file, uploadKey: file.key });
      const key = newObjectKey(symbolFolders.uploads, context.clock.nowMs());
      const isCopied = await storage.copy(file.key, key).catch((cause: unknown) => {
        throw new AppError('unavailable', { cause });
      });
      if (isCopied) copied.push({ ...file, key, uploadKey: file.key });
      else areThere = false;
    });
    await Promise.all(copies);
  }
  if (areThere) return copied;
  await forgetCopies(context, copied);
  return undefined;
}

/** Deletes copies that no set was given. */
export const forgetCopies = (context: Parts, files: readonly FileOfSet[]): Promise<void> =>
  deleteObjects(
    context,
    movedOf(files).map(({ key }) => key),
  );

/** Deletes uploads whose copies are in place. */
export const forgetUploads = (context: Parts, files: readonly FileOfSet[]): Promise<void> =>
  deleteObjects(
    context,
    movedOf(files).map(({ uploadKey }) => uploadKey),
  );

/** Files that were not those of their sets before. */
export const movedOf = (files: readonly FileOfSet[]): FileOfSet[] =>
  files.filter(({ key, uploadKey }) => key !== uploadKey);
