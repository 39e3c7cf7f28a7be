import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { nameSome } from './name-some.ts';
import type { Offer } from './upload-request.ts';

/**
 * The offer with its release ids in lower case. In a transaction the releases stay until its end.
 * @throws {AppError} invalid_release_id, which names those that are no releases of the project
 */
export async function requireReleases(
  prisma: Pick<Prisma.TransactionClient, '$queryRaw'>,
  projectId: number,
  offer: Offer,
): Promise<Offer> {
  const sets = offer.sets.map((set) => ({ ...set, releaseId: set.releaseId?.toLowerCase() ?? null }));
  const wanted = [...new Set(sets.flatMap(({ releaseId }) => releaseId ?? []))];
  if (wanted.length === 0) return { ...offer, sets };
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM error_tracking_releases WHERE project_id = ${projectId} AND id = ANY(${wanted.filter(isUuid)}::uuid[]) FOR KEY SHARE`;
  const found = new Set(rows.map(({ id }) => id));
  const unknown = wanted.filter((id) => !found.has(id)).map((ref) => ({ ref }));
  if (unknown.length > 0)
    throw new AppError('invalid_release_id', {
      detail: `This project has no release with the id ${nameSome(unknown)}.`,
    });
  return { ...offer, sets };
}
