import { Prisma } from '@millrace/postgres/generated/client.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { projectRoute } from '../../context.ts';
import { isUniqueViolation } from '../../database/prisma-errors.ts';
import { checkDefault, codeNameOf, InsightVariable, InsightVariableBody, renderVariable } from './insight-variable.ts';
import { withinLimits } from './variable-limits.ts';

export const createInsightVariable = projectRoute({
  operationId: 'create_insight_variable',
  method: 'post',
  path: '/api/projects/:project_id/insight_variables',
  access: { scope: 'endpoint:write' },
  tag: 'Variables',
  summary: 'Make a variable that the queries of the project share',
  body: InsightVariableBody,
  responses: { 201: InsightVariable },
  errors: ['unique'],
  async handler({ auth, context, body }) {
    checkDefault(body.type, body.default_value);
    const codeName = body.code_name ?? codeNameOf(body.name);
    const data = {
      id: uuidV7(context.clock.nowMs()),
      projectId: auth.project.id,
      name: body.name,
      codeName,
      type: body.type,
      defaultValue: body.default_value ?? Prisma.DbNull,
      createdById: auth.caller.userId,
      createdAt: new Date(context.clock.nowMs()),
    };
    try {
      const made = await context.prisma.$transaction((transaction) =>
        withinLimits(transaction, auth.project.id, () =>
          transaction.insightVariable.create({ data, include: { createdBy: true } }),
        ),
      );
      return reply(201, renderVariable(made));
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError('unique', {
        attr: 'code_name',
        detail: `There is a variable with the code name "${codeName}" already.`,
        cause: error,
      });
    }
  },
});
