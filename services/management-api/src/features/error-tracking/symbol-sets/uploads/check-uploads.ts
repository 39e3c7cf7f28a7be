import { Array as ArrayType, Object as ObjectType, String as StringType } from 'typebox';
import { projectRoute } from '../../context.ts';
import { symbolSetRoute, symbolSetsPath } from '../symbol-set.ts';
import { decideUploads } from './decide-uploads.ts';
import { markUsed } from './mark-used.ts';
import { requireReleases } from './require-releases.ts';
import { CheckBody, readOffer } from './upload-request.ts';

export const checkUploads = projectRoute({
  ...symbolSetRoute,
  operationId: 'check_symbol_set_uploads',
  method: 'post',
  path: `${symbolSetsPath}/bulk_check_upload`,
  access: { scope: 'error_tracking:write' },
  summary: 'Ask which of up to 1000 symbol sets need an upload, or a release',
  description: 'The others are marked as used.',
  jsonOnly: true,
  body: CheckBody,
  responses: {
    200: ObjectType(
      { chunk_ids_to_upload: ArrayType(StringType({ examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'] })) },
      { title: 'SymbolSetBulkChecked' },
    ),
  },
  errors: [
    'invalid_conflict_handling',
    'invalid_chunk_ids',
    'invalid_release_id',
    'file_too_large',
    'release_id_mismatch',
    'content_hash_required',
    'content_hash_mismatch',
  ],
  async handler({ body, auth: { project }, context: { prisma, clock } }) {
    const offer = await requireReleases(prisma, project.id, readOffer(body));
    const refs = offer.sets.map(({ ref }) => ref);
    const known = await prisma.symbolSet.findMany({
      where: { projectId: project.id, ref: { in: refs } },
      select: { ref: true, contentHash: true, releaseId: true },
    });
    const { upload, bind } = decideUploads(offer, new Map(known.map((set) => [set.ref, set])));
    const needed = new Set([...upload, ...bind].map(({ ref }) => ref));
    const unneeded = refs.filter((ref) => !needed.has(ref));
    await markUsed(prisma, { projectId: project.id, refs: unneeded, now: new Date(clock.nowMs()) });
    return { chunk_ids_to_upload: refs.filter((ref) => needed.has(ref)) };
  },
});
