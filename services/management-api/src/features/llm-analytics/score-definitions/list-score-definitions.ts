import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import { rowsMax } from '../../../definitions/definition-queries.ts';
import { projectRoute } from '../context.ts';
import { readIdPage } from '../../../lists/id-page.ts';
import { readDefinitionQuery, ScoreDefinitionQuery } from './definition-listing.ts';
import { listedDefinitions, readDefinitions } from './definition-queries.ts';
import { renderDefinition, ScoreDefinition } from './score-definition.ts';

export const listScoreDefinitions = projectRoute({
  operationId: 'list_score_definitions',
  method: 'get',
  path: '/api/projects/:project_id/llm_analytics/score_definitions',
  access: { scope: 'llm_analytics:read' },
  tag: 'LLM analytics',
  summary: 'List or search the score definitions of a project',
  description: 'Without `archived` only active ones. A page has at most 1000 rows.',
  query: ScoreDefinitionQuery,
  responses: { 200: pageOf(ScoreDefinition) },
  async handler({ auth: { project }, context: { prisma, runPrepared, baseUrl }, query, request }) {
    const page = readPage(query, rowsMax);
    const url = new URL(baseUrl(request) + request.originalUrl);
    const listing = readDefinitionQuery(query);
    if (listing === null) return pageEnvelope(url, page, 0, []);
    const { count, rows } = await readIdPage(prisma, listedDefinitions(project.id, listing), page, async (ids) =>
      (await readDefinitions(runPrepared, project.id, ids)).map(renderDefinition),
    );
    return pageEnvelope(url, page, count, rows);
  },
});
