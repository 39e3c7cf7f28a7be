import { String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../../../context.ts';
import { withRelease, type StackFrameRow } from './stack-frame.ts';

/** A frame in a path. A text that is no UUID is the id of none. */
export const FrameId = StringType({
  description: 'Id of the stack frame.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

interface NamedCall {
  params: { frame_id: string };
  auth: Pick<ProjectAccess, 'project'>;
  context: Pick<Context, 'prisma'>;
}

/** The frame of the path. @throws {AppError} not_found: unknown, or of another project */
export async function findStackFrame({ params: { frame_id: id }, auth, context }: NamedCall): Promise<StackFrameRow> {
  const where = { id: id.toLowerCase(), projectId: auth.project.id };
  const found = isUuid(id) ? await context.prisma.stackFrame.findFirst({ where, include: withRelease }) : null;
  if (found === null) throw notFound('This project has no stack frame with the id', id);
  return found;
}
