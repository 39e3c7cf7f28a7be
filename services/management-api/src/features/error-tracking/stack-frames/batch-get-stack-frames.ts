import { Array as ArrayType, Object as ObjectType } from 'typebox';
import { projectRoute } from '../../../context.ts';
import { findFrameIds, readFrames } from './frame-queries.ts';
import { framesMax, readRawId, renderFrame, StackFrame, StackFrameQuery } from './stack-frame.ts';

export const batchGetStackFrames = projectRoute({
  operationId: 'batch_get_stack_frames',
  method: 'post',
  path: '/api/projects/:project_id/error_tracking/stack_frames/batch_get',
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'Show the stack frames that events name',
  description:
    'At most the 1000 newest that pass both filters. Of an answer that would be larger than some 8 MB the oldest are left out.',
  body: StackFrameQuery,
  attrsEndAtLists: true,
  responses: { 200: ObjectType({ results: ArrayType(StackFrame) }, { title: 'StackFrames' }) },
  async handler({ auth: { project }, context: { prisma }, body: { raw_ids: rawIds = [], symbol_set: symbolSet } }) {
    const names = rawIds.length === 0 ? null : rawIds.map(readRawId);
    const ids = await findFrameIds(prisma, project.id, { names, symbolSetId: symbolSet ?? null }, framesMax);
    return { results: await readFrames(prisma, project.id, ids, renderFrame) };
  },
});
