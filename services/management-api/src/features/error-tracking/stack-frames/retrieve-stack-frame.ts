import { projectRoute } from '../../../context.ts';
import { findStackFrame, FrameId } from './find-stack-frame.ts';
import { renderFrame, StackFrame } from './stack-frame.ts';

export const retrieveStackFrame = projectRoute({
  operationId: 'retrieve_stack_frame',
  method: 'get',
  path: '/api/projects/:project_id/error_tracking/stack_frames/:frame_id',
  params: { frame_id: FrameId },
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'Show a stack frame with the lines of its source',
  responses: { 200: StackFrame },
  find: findStackFrame,
  handler: ({ found }) => renderFrame(found),
});
