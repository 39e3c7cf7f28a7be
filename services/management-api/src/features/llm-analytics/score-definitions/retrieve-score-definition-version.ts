import { String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { projectRoute } from '../../../context.ts';
import { DefinitionId, findScoreDefinition } from './find-score-definition.ts';
import { ScoreDefinitionVersion } from './score-definition.ts';
import { renderVersion } from './version-queries.ts';

export const retrieveScoreDefinitionVersion = projectRoute({
  operationId: 'retrieve_score_definition_version',
  method: 'get',
  path: '/api/projects/:project_id/llm_analytics/score_definitions/:definition_id/versions/:version_id',
  params: {
    definition_id: DefinitionId,
    version_id: StringType({ description: 'Id of the version.', examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8e'] }),
  },
  access: { scope: 'llm_analytics:read' },
  tag: 'LLM analytics',
  summary: 'Show a version of a score definition',
  responses: { 200: ScoreDefinitionVersion },
  async find({ params, auth, context }) {
    const definition = await findScoreDefinition({ params, auth, context });
    const { version_id: id } = params;
    const where = { id, definitionId: definition.id };
    const version = isUuid(id)
      ? await context.prisma.scoreDefinitionVersion.findFirst({ where, include: { createdBy: true } })
      : null;
    if (version === null) throw notFound('This score definition has no version with the id', id);
    return renderVersion(version, definition.kind);
  },
  handler: ({ found }) => found,
});
