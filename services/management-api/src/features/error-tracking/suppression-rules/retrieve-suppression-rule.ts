import { projectRoute } from '../../../context.ts';
import { findSuppressionRule, RuleId } from './find-suppression-rule.ts';
import { renderRule, SuppressionRule } from './suppression-rule.ts';

export const retrieveSuppressionRule = projectRoute({
  operationId: 'retrieve_suppression_rule',
  method: 'get',
  path: '/api/projects/:project_id/error_tracking/suppression_rules/:rule_id',
  params: { rule_id: RuleId },
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'Show a suppression rule',
  responses: { 200: SuppressionRule },
  find: findSuppressionRule,
  handler: ({ found }) => renderRule(found),
});
