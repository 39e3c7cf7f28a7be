import { AppError } from '@millrace/http/errors/errors.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { projectRoute } from '../../../context.ts';
import { changedFields, changeScoreDefinition } from './change-definition.ts';
import { readScoreConfig } from './config/read-config.ts';
import { readFields, refuseComposite } from './definition-fields.ts';
import { DefinitionId, findScoreDefinition } from './find-score-definition.ts';
import { insertVersion } from './insert-version.ts';
import { NewVersionBody, renderDefinition, ScoreDefinition } from './score-definition.ts';

export const createScoreDefinitionVersion = projectRoute({
  operationId: 'create_score_definition_version',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/score_definitions/:definition_id/new_version',
  params: { definition_id: DefinitionId },
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Give a score definition another config, as its next version',
  description:
    'Versions never change, and scores keep the one that they were made with. A `base_version` that is not the current one is a 409 with `current_version`. `name`, `short_name` and `description` change with it.',
  body: NewVersionBody,
  attrsEndAtLists: true,
  responses: { 200: ScoreDefinition },
  errors: ['stale_version'],
  find: findScoreDefinition,
  async handler({ params, auth, context, found, body }) {
    refuseComposite(body);
    const config = readScoreConfig(found.kind, body.config);
    const fields = readFields({ name: body.name, short_name: body.short_name, description: body.description });
    return renderDefinition(
      await changeScoreDefinition(context, auth, {
        id: params.definition_id,
        async change(prisma, before, now) {
          refuseStale(body.base_version, before.currentVersion);
          const version = before.currentVersion + 1;
          const id = uuidV7(context.clock.nowMs());
          const by = { createdById: auth.caller.userId, createdAt: now };
          await insertVersion(prisma, { ...by, id, definitionId: before.id, version }, config);
          return { ...changedFields(before, fields), currentVersion: version };
        },
      }),
    );
  },
});

/** @throws {AppError} stale_version (contract/llm-surveys 3.3, contract/decisions 62) */
function refuseStale(base: number | null | undefined, current: number): void {
  if ((base ?? current) === current) return;
  throw new AppError('stale_version', {
    publicCode: 'conflict',
    detail: 'The scorer changed since you opened it. Reload the latest version and try again.',
    fields: { current_version: current },
  });
}
