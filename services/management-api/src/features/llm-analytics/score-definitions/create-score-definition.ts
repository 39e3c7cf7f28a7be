import { AppError } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { readScoreConfig } from './config/read-config.ts';
import { readFields, refuseComposite } from './definition-fields.ts';
import { readDefinition } from './definition-queries.ts';
import { raiseNotFound } from './find-score-definition.ts';
import { insertVersion } from './insert-version.ts';
import { loggedDefinition, renderDefinition, ScoreDefinition, ScoreDefinitionBody } from './score-definition.ts';

export const createScoreDefinition = projectRoute({
  operationId: 'create_score_definition',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/score_definitions',
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Make a score definition with its first version',
  body: ScoreDefinitionBody,
  attrsEndAtLists: true,
  responses: { 201: ScoreDefinition },
  async handler({ auth: { project, caller }, context: { prisma: client, clock }, body }) {
    refuseComposite(body);
    if (body.archived === true)
      throw new AppError('invalid_input', { attr: 'archived', detail: 'New scorers must be created as active.' });
    const fields = { name: '', ...readFields(body) };
    const config = readScoreConfig(body.kind, body.config);
    const now = new Date(clock.nowMs());
    const id = uuidV7(clock.nowMs());
    const made = await client.$transaction(async (prisma) => {
      const by = { createdById: caller.userId, createdAt: now };
      await prisma.scoreDefinition.create({
        data: { ...fields, ...by, id, projectId: project.id, kind: body.kind, updatedAt: now },
      });
      await insertVersion(prisma, { ...by, id: uuidV7(clock.nowMs()), definitionId: id, version: 1 }, config);
      const after = (await readDefinition(prisma, project.id, id)) ?? raiseNotFound(id);
      await recordActivity(prisma, caller, {
        organizationId: project.organizationId,
        projectId: project.id,
        itemType: 'score_definition',
        itemId: id,
        activity: 'created',
        after: loggedDefinition(after),
      });
      return after;
    });
    return reply(201, renderDefinition(made));
  },
});
