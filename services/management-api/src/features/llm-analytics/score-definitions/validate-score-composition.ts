import { Literal, Object as ObjectType, Optional, Unsafe } from 'typebox';
import { projectRoute } from '../../../context.ts';
import { compositeRefused } from './definition-fields.ts';

// posthog-python sends formulas here before it saves them. It reads any other answer than `valid: true` as the reason against one.
export const validateScoreComposition = projectRoute({
  operationId: 'validate_score_composition',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/score_definitions/validate_composition',
  access: { scope: 'llm_analytics:read' },
  tag: 'LLM analytics',
  summary: 'Refuse the formula of a composite scorer: they are not offered',
  body: ObjectType(
    {
      kind: Optional(Unsafe<unknown>({})),
      composition: Optional(Unsafe<unknown>({})),
      config: Optional(Unsafe<unknown>({})),
    },
    { title: 'ScoreCompositionValidate' },
  ),
  responses: { 200: ObjectType({ valid: Literal(true) }) },
  handler: () => {
    throw compositeRefused();
  },
});
