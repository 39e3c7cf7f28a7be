import { Array as ArrayType, Integer, Object as ObjectType, String as StringType } from 'typebox';
import { reply } from '@millrace/http/replies/reply.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import { projectRoute, type Context } from '../context.ts';
import { findSymbolSet, raiseNoSet, SymbolSetId } from './find-symbol-set.ts';
import { describeSet, recordSets } from './record-sets.ts';
import { deleteObjects, removeSets } from './remove-sets.ts';
import { symbolSetRoute, symbolSetsPath } from './symbol-set.ts';

/** Deletes those of the sets that are the project's, with their files. Returns how many they were. */
async function deleteSets(
  context: Pick<Context, 'prisma' | 'storage' | 'logger'>,
  auth: Pick<ProjectAccess, 'project' | 'caller'>,
  ids: readonly string[],
): Promise<number> {
  const removed = await context.prisma.$transaction(async (transaction) => {
    const sets = await removeSets(transaction, auth.project.id, ids);
    await recordSets(
      transaction,
      auth,
      sets.map((set) => ({ id: set.id, activity: 'deleted', before: describeSet(set) })),
    );
    return sets;
  });
  await deleteObjects(
    context,
    removed.flatMap(({ keys }) => keys),
  );
  return removed.length;
}

export const deleteSymbolSet = projectRoute({
  ...symbolSetRoute,
  operationId: 'delete_symbol_set',
  method: 'delete',
  path: `${symbolSetsPath}/:symbol_set_id`,
  params: { symbol_set_id: SymbolSetId },
  access: { scope: 'error_tracking:write' },
  summary: 'Delete a symbol set with its file',
  description: 'Stack frames that it resolved stay as they are.',
  responses: { 204: null },
  find: findSymbolSet,
  async handler({ found: { id }, auth, context }) {
    if ((await deleteSets(context, auth, [id])) === 0) raiseNoSet(id);
    return reply(204, undefined);
  },
});

const idsMax = 1000;

export const deleteSymbolSets = projectRoute({
  ...symbolSetRoute,
  operationId: 'delete_symbol_sets',
  method: 'post',
  path: `${symbolSetsPath}/bulk_delete`,
  access: { scope: 'error_tracking:write' },
  summary: 'Delete up to 1000 symbol sets with their files',
  description: 'Ids that are no symbol sets of this project are ignored.',
  jsonOnly: true,
  attrsEndAtLists: true,
  body: ObjectType(
    {
      ids: ArrayType(StringType({ format: 'uuid' }), {
        minItems: 1,
        maxItems: idsMax,
        examples: [['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d']],
      }),
    },
    { title: 'SymbolSetBulkDelete' },
  ),
  responses: { 200: ObjectType({ deleted: Integer() }, { title: 'SymbolSetBulkDeleted' }) },
  handler: async ({ body, auth, context }) => ({ deleted: await deleteSets(context, auth, [...new Set(body.ids)]) }),
});
