import { Array as ArrayType, String as StringType } from 'typebox';
import { projectRoute } from '../../context.ts';
import { archivedResponses } from './archived-responses.ts';
import { SurveyId } from './response-route.ts';

export const listArchivedResponses = projectRoute({
  operationId: 'list_archived_survey_responses',
  method: 'get',
  path: '/api/projects/:project_id/surveys/:survey_id/archived-response-uuids',
  access: { scope: 'survey:read' },
  tag: 'Surveys',
  summary: 'List the uuids of the responses of a survey that were archived, the oldest first',
  params: { survey_id: SurveyId },
  responses: { 200: ArrayType(StringType({ format: 'uuid' })) },
  handler: ({ auth, params, context }) => archivedResponses(context.prisma, auth.project.id, params.survey_id),
});
