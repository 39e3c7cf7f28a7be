import { projectRoute } from '../../context.ts';
import { findVariable, VariableId } from './find-variable.ts';
import { InsightVariable, renderVariable } from './insight-variable.ts';

export const retrieveInsightVariable = projectRoute({
  operationId: 'retrieve_insight_variable',
  method: 'get',
  path: '/api/projects/:project_id/insight_variables/:variable_id',
  params: { variable_id: VariableId },
  access: { scope: 'endpoint:read' },
  tag: 'Variables',
  summary: 'Show a variable',
  responses: { 200: InsightVariable },
  find: findVariable,
  handler: ({ found }) => renderVariable(found),
});
