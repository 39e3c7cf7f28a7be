import { projectRoute } from '../../../context.ts';
import { changedFields, changeScoreDefinition } from './change-definition.ts';
import { readFields } from './definition-fields.ts';
import { DefinitionId, findScoreDefinition } from './find-score-definition.ts';
import { renderDefinition, ScoreDefinition, ScoreDefinitionChange } from './score-definition.ts';

export const updateScoreDefinition = projectRoute({
  operationId: 'update_score_definition',
  method: 'patch',
  path: '/api/projects/:project_id/llm_analytics/score_definitions/:definition_id',
  params: { definition_id: DefinitionId },
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Rename, describe, tag, archive or restore a score definition',
  description: 'Makes no version. `kind` and `config` are ignored: a config changes by `new_version`.',
  body: ScoreDefinitionChange,
  attrsEndAtLists: true,
  responses: { 200: ScoreDefinition },
  find: findScoreDefinition,
  async handler({ params, auth, context, body }) {
    const fields = readFields(body);
    return renderDefinition(
      await changeScoreDefinition(context, auth, {
        id: params.definition_id,
        change: (_prisma, before) => changedFields(before, fields),
      }),
    );
  },
});
