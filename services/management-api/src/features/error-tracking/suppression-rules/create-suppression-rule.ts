import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { checkFilters } from './check-filters.ts';
import { withinLimits } from './rule-limits.ts';
import { loggedRule, noFilters, renderRule, SuppressionRule, SuppressionRuleBody } from './suppression-rule.ts';

export const createSuppressionRule = projectRoute({
  operationId: 'create_suppression_rule',
  method: 'post',
  path: '/api/projects/:project_id/error_tracking/suppression_rules',
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Make a rule about exceptions that are not stored',
  description: 'It begins with the `order_key` 0. Exceptions that are stored already stay.',
  body: SuppressionRuleBody,
  responses: { 201: SuppressionRule },
  async handler({ auth: { project, caller }, context: { prisma: client, clock }, body }) {
    const { filters = noFilters, sampling_rate: samplingRate = 1 } = body;
    checkFilters(filters);
    const now = new Date(clock.nowMs());
    const data = {
      id: uuidV7(now.getTime()),
      projectId: project.id,
      filters: filters as Prisma.InputJsonObject,
      samplingRate,
      createdAt: now,
      updatedAt: now,
    };
    const made = await client.$transaction(async (prisma) => {
      const rule = await withinLimits(prisma, project.id, () => prisma.suppressionRule.create({ data }));
      await recordActivity(prisma, caller, {
        organizationId: project.organizationId,
        projectId: project.id,
        itemType: 'suppression_rule',
        itemId: rule.id,
        activity: 'created',
        after: loggedRule(rule),
      });
      return rule;
    });
    return reply(201, renderRule(made));
  },
});
