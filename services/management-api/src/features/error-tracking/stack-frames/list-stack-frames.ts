import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../../context.ts';
import { readIdPage } from '../../../lists/id-page.ts';
import { findFrames, listedFrames } from './frame-queries.ts';
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
    const { count, rows } = await readIdPage(prisma, listedFrames(project.id), page, async (ids) =>
      (await findFrames(prisma, project.id, ids)).map(renderFrame),
    );
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, count, rows);
  },
});
