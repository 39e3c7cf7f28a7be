import { Prisma } from '@millrace/postgres/generated/client.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { checkFilters } from './check-filters.ts';
import { findSuppressionRule, lockRule, RuleId } from './find-suppression-rule.ts';
import { withinLimits } from './rule-limits.ts';
import { loggedRule, SuppressionRuleChange } from './suppression-rule.ts';

const updateBy = (method: 'patch' | 'put', operationId: string) =>
  projectRoute({
    operationId,
    method,
    path: '/api/projects/:project_id/error_tracking/suppression_rules/:rule_id',
    params: { rule_id: RuleId },
    access: { scope: 'error_tracking:write' },
    tag: 'Error tracking',
    summary: 'Change the filters or the sampling rate of a suppression rule',
    description: 'What is left out stays, with PUT too. A rule that was disabled applies again, whatever the body.',
    body: SuppressionRuleChange,
    responses: { 204: null },
    find: findSuppressionRule,
    async handler({ params: { rule_id: id }, auth: { project, caller }, context: { prisma: client, clock }, body }) {
      const { filters, sampling_rate: samplingRate } = body;
      if (filters !== undefined) checkFilters(filters);
      const data = {
        disabledData: Prisma.DbNull,
        updatedAt: new Date(clock.nowMs()),
        ...(filters !== undefined && { filters: filters as Prisma.InputJsonObject }),
        ...(samplingRate !== undefined && { samplingRate }),
      };
      await client.$transaction((prisma) =>
        withinLimits(prisma, project.id, async () => {
          const before = await lockRule(prisma, project.id, id);
          const after = await prisma.suppressionRule.update({ where: { id: before.id }, data });
          await recordActivity(prisma, caller, {
            organizationId: project.organizationId,
            projectId: project.id,
            itemType: 'suppression_rule',
            itemId: before.id,
            activity: 'updated',
            before: { ...loggedRule(before), disabled_data: before.disabledData },
            after: { ...loggedRule(after), disabled_data: after.disabledData },
          });
        }),
      );
      return reply(204, undefined);
    },
  });

export const updateSuppressionRule = updateBy('patch', 'update_suppression_rule');
export const replaceSuppressionRule = updateBy('put', 'replace_suppression_rule');
