import { reply } from '@millrace/http/replies/reply.ts';
import { projectRoute } from '../../context.ts';
import { findVariable, VariableId } from './find-variable.ts';

export const deleteInsightVariable = projectRoute({
  operationId: 'delete_insight_variable',
  method: 'delete',
  path: '/api/projects/:project_id/insight_variables/:variable_id',
  params: { variable_id: VariableId },
  access: { scope: 'endpoint:write' },
  tag: 'Variables',
  summary: 'Delete a variable; queries that were saved before keep what they took over',
  responses: { 204: null },
  find: findVariable,
  async handler({ context, found }) {
    await context.prisma.insightVariable.deleteMany({ where: { id: found.id } });
    return reply(204, undefined);
  },
});
