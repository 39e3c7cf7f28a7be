import { String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import type { ErrorTrackingRelease as StoredRelease } from '@millrace/postgres/generated/client.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../../../context.ts';

/** A release in a path. A text that is no UUID is the id of none. */
export const ReleaseId = StringType({
  description: 'Id of the release.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

interface NamedCall<Params> {
  params: Params;
  auth: Pick<ProjectAccess, 'project'>;
  context: Pick<Context, 'prisma'>;
}

/** The release of the path. @throws {AppError} not_found: unknown, or of another project */
export async function findRelease({
  params: { release_id: id },
  auth,
  context: { prisma },
}: NamedCall<{ release_id: string }>): Promise<StoredRelease> {
  const where = { id: id.toLowerCase(), projectId: auth.project.id };
  return (isUuid(id) ? await prisma.errorTrackingRelease.findFirst({ where }) : null) ?? raiseNoRelease(id);
}

/** The release whose hash the path has. @throws {AppError} not_found: as above */
export async function findReleaseByHash({
  params: { hash_id: hashId },
  auth,
  context: { prisma },
}: NamedCall<{ hash_id: string }>): Promise<StoredRelease> {
  const where = { projectId_hashId: { projectId: auth.project.id, hashId } };
  const found = await prisma.errorTrackingRelease.findUnique({ where });
  if (found === null) throw notFound('This project has no release with the hash', hashId);
  return found;
}

/** @throws {AppError} not_found */
export function raiseNoRelease(id: string): never {
  throw notFound('This project has no release with the id', id);
}
