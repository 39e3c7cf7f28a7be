import { projectRoute } from '../../../context.ts';
import { DefinitionId, findScoreDefinition } from './find-score-definition.ts';
import { renderDefinition, ScoreDefinition } from './score-definition.ts';

export const retrieveScoreDefinition = projectRoute({
  operationId: 'retrieve_score_definition',
  method: 'get',
  path: '/api/projects/:project_id/llm_analytics/score_definitions/:definition_id',
  params: { definition_id: DefinitionId },
  access: { scope: 'llm_analytics:read' },
  tag: 'LLM analytics',
  summary: 'Show a score definition with its current version, archived or not',
  responses: { 200: ScoreDefinition },
  find: findScoreDefinition,
  handler: ({ found }) => renderDefinition(found),
});
