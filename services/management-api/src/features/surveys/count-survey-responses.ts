import { Integer, Object as ObjectType, Optional, Record as RecordType, String as StringType } from 'typebox';
import { projectRoute } from '../../context.ts';
import { queryErrors } from '../../queries/execute/engine-errors.ts';
import { archivedResponses } from './archived-responses.ts';
import { queryEvents } from './query-events.ts';
import { responsesAmong, responsesBySurvey } from './survey-queries.ts';

/** Maximum uuids of one query. */
const uuidsMax = 2_000;

export const countSurveyResponses = projectRoute({
  operationId: 'count_survey_responses',
  method: 'get',
  path: '/api/projects/:project_id/surveys/responses_count',
  access: { scope: 'survey:read' },
  tag: 'Surveys',
  summary: 'Count the responses of each survey that has any',
  description:
    'One submission is one response, however many of its steps were sent; one that was not finished counts too.',
  query: ObjectType({
    exclude_archived: Optional(
      StringType({ description: '`true`, in any case: without the responses that were archived.', examples: ['true'] }),
    ),
    survey_ids: Optional(
      StringType({ description: 'Only these surveys: ids with commas between. Empty: all.', examples: ['onboarding'] }),
    ),
  }),
  responses: {
    200: RecordType(StringType(), Integer({ minimum: 1 }), {
      title: 'SurveyResponsesCount',
      examples: [{ onboarding: 12 }],
      description: 'Survey id to responses.',
    }),
  },
  errors: queryErrors,
  async handler({ auth: { project, caller }, context, query, signal }) {
    const surveys = (query.survey_ids ?? '')
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== '');
    const run = (text: string, more: Record<string, string[]> = {}): Promise<[string, number][]> =>
      queryEvents(context, {
        text,
        values: { surveys, ...more },
        teamId: project.id,
        organizationId: project.organizationId,
        keyId: caller.keyId,
        signal,
      });
    const counts = new Map(await run(responsesBySurvey));
    if (query.exclude_archived?.trim().toLowerCase() === 'true') {
      // The event of a submission is chosen first: an archived one is not replaced by an older step. One that was
      // archived under two surveys is subtracted once.
      const uuids = [...new Set(await archivedResponses(context.prisma, project.id))];
      for (let at = 0; at < uuids.length; at += uuidsMax) {
        for (const [survey, archived] of await run(responsesAmong, { uuids: uuids.slice(at, at + uuidsMax) })) {
          counts.set(survey, (counts.get(survey) ?? archived) - archived);
        }
      }
    }
    return Object.fromEntries([...counts].filter(([, count]) => count > 0));
  },
});
