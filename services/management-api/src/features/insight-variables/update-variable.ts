import { Prisma } from '@millrace/postgres/generated/client.ts';
import { projectRoute } from '../../context.ts';
import type { VariableType } from '../../queries/definition/variables.ts';
import { findVariable, VariableId } from './find-variable.ts';
import { checkDefault, InsightVariable, InsightVariableChange, renderVariable } from './insight-variable.ts';
import { withinLimits } from './variable-limits.ts';

export const updateInsightVariable = projectRoute({
  operationId: 'update_insight_variable',
  method: 'patch',
  path: '/api/projects/:project_id/insight_variables/:variable_id',
  params: { variable_id: VariableId },
  access: { scope: 'endpoint:write' },
  tag: 'Variables',
  summary: 'Change the name, type or default of a variable; queries that were saved before keep what they took over',
  body: InsightVariableChange,
  responses: { 200: InsightVariable },
  find: findVariable,
  async handler({ auth, context, found, body }) {
    checkDefault(
      body.type ?? (found.type as VariableType),
      body.default_value === undefined ? found.defaultValue : body.default_value,
    );
    const data = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.type !== undefined && { type: body.type }),
      ...(body.default_value !== undefined && { defaultValue: body.default_value ?? Prisma.DbNull }),
    };
    const changed = await context.prisma.$transaction((transaction) =>
      withinLimits(transaction, auth.project.id, () =>
        transaction.insightVariable.update({ where: { id: found.id }, data, include: { createdBy: true } }),
      ),
    );
    return renderVariable(changed);
  },
});
