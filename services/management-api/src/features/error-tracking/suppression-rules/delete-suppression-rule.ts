import { reply } from '@millrace/http/replies/reply.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { findSuppressionRule, lockRule, RuleId } from './find-suppression-rule.ts';
import { loggedRule } from './suppression-rule.ts';

export const deleteSuppressionRule = projectRoute({
  operationId: 'delete_suppression_rule',
  method: 'delete',
  path: '/api/projects/:project_id/error_tracking/suppression_rules/:rule_id',
  params: { rule_id: RuleId },
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Delete a suppression rule, with the counts of what it dropped',
  responses: { 204: null },
  find: findSuppressionRule,
  async handler({ params: { rule_id: id }, auth: { project, caller }, context: { prisma: client } }) {
    await client.$transaction(async (prisma) => {
      const before = await lockRule(prisma, project.id, id);
      await prisma.suppressionRule.deleteMany({ where: { id: before.id } });
      await recordActivity(prisma, caller, {
        organizationId: project.organizationId,
        projectId: project.id,
        itemType: 'suppression_rule',
        itemId: before.id,
        activity: 'deleted',
        before: loggedRule(before),
      });
    });
    return reply(204, undefined);
  },
});
