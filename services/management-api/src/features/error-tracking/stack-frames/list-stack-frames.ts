import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../../context.ts';
import { readFrameIds, readFrames } from './frame-queries.ts';
import { framesMax, renderFrame, StackFrame } from './stack-frame.ts';

export const listStackFrames = projectRoute({
  operationId: 'list_stack_frames',
  method: 'get',
  path: '/api/projects/:project_id/error_tracking/stack_frames',
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'List the stack frames of a project, newest first',
  description: 'A page has at most 1000 rows.',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(StackFrame) },
  async handler({ auth: { project }, context: { prisma, baseUrl }, query, request }) {
    const page = readPage(query, framesMax);
    // Counting takes longer than the page, which is read beside it.
    const [count, frames] = await Promise.all([
      prisma.stackFrame.count({ where: { projectId: project.id } }),
      readFrameIds(prisma, project.id, page).then((ids) => readFrames(prisma, project.id, ids, renderFrame)),
    ]);
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, count, frames);
  },
});
