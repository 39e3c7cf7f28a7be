import { reply } from '@millrace/http/replies/reply.ts';
import { projectRoute } from '../../../context.ts';
import { FrameId } from './find-stack-frame.ts';

export const deleteStackFrame = projectRoute({
  operationId: 'delete_stack_frame',
  method: 'delete',
  path: '/api/projects/:project_id/error_tracking/stack_frames/:frame_id',
  params: { frame_id: FrameId },
  access: 'personal-key',
  tag: 'Error tracking',
  summary: 'Always refused: frames go with their project',
  description: 'A 405 without a body, whether there is such a frame or not.',
  responses: { 405: null },
  // Without `find`: an unknown frame is refused as well (contract/decisions 110).
  handler: () => reply(405, undefined, { allow: 'GET' }),
});
