import { Array as ArrayType, Integer, Object as ObjectType, Optional, String as StringType } from 'typebox';
import { projectRoute } from '../../../context.ts';
import { findSuppressionRule, RuleId } from './find-suppression-rule.ts';
import { daysMax, recentDays } from '../recent-days.ts';

export const listSuppressionRuleHits = projectRoute({
  operationId: 'list_suppression_rule_hits',
  method: 'get',
  path: '/api/projects/:project_id/error_tracking/suppression_rules/:rule_id/hits',
  params: { rule_id: RuleId },
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'Count the exceptions that a suppression rule dropped, day by day',
  description: 'Days are those of UTC, today the last. They are kept for 90 days.',
  query: ObjectType({
    days: Optional(Integer({ minimum: 1, maximum: daysMax, description: 'Default 7.', examples: [7] })),
  }),
  responses: {
    200: ObjectType(
      {
        dropped: Integer({ description: 'On all of these days.', examples: [3] }),
        results: ArrayType(
          ObjectType({ day: StringType({ examples: ['2026-01-31'] }), dropped: Integer({ examples: [3] }) }),
        ),
      },
      { title: 'SuppressionRuleHits' },
    ),
  },
  find: findSuppressionRule,
  async handler({ found, context: { prisma, clock }, query: { days = 7 } }) {
    const wanted = recentDays(clock.nowMs(), days);
    const rows = await prisma.suppressionRuleHit.findMany({
      where: { ruleId: found.id, day: { gte: new Date(wanted[0] ?? 0) } },
    });
    const byDay = new Map(rows.map(({ day, dropped }) => [day.toISOString().slice(0, 10), Number(dropped)]));
    const results = wanted.map((day) => ({ day, dropped: byDay.get(day) ?? 0 }));
    return { dropped: results.reduce((sum, { dropped }) => sum + dropped, 0), results };
  },
});
