import type { Route } from '@millrace/http/define-route.ts';
import type { Context } from '../../../context.ts';
import { batchGetStackFrames } from './batch-get-stack-frames.ts';
import { deleteStackFrame } from './delete-stack-frame.ts';
import { listStackFrames } from './list-stack-frames.ts';
import { retrieveStackFrame } from './retrieve-stack-frame.ts';

/** In the order of the reference; fixed names precede the parameter that would match them. */
export const stackFrameRoutes: readonly Route<Context>[] = [
  listStackFrames,
  batchGetStackFrames,
  retrieveStackFrame,
  deleteStackFrame,
];
