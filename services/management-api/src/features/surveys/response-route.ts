import { Boolean, Object as ObjectType, String as StringType } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { projectRoute } from '../../context.ts';
import type { Response } from './archived-responses.ts';

/** Any text may be the id of a survey: surveys are stored elsewhere. */
export const SurveyId = StringType({
  minLength: 1,
  maxLength: 400,
  description: 'As in `$survey_id` of the events.',
  examples: ['onboarding'],
});

/** A text that is none is refused by a sentence of its own. */
const ResponseUuid = StringType({
  description: 'UUID of the event `survey sent`.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

const Done = ObjectType({ success: Boolean({ examples: [true] }) }, { title: 'SurveyResponseChanged' });

/** A route that does something to one response of a survey (contract/llm-surveys 9.1); idempotent. */
export function responseRoute(
  action: 'archive' | 'unarchive',
  summary: string,
  change: (prisma: PrismaClient, response: Response) => Promise<void>,
) {
  return projectRoute({
    operationId: `${action}_survey_response`,
    method: 'post',
    path: `/api/projects/:project_id/surveys/:survey_id/responses/:response_uuid/${action}`,
    access: { scope: 'survey:write' },
    tag: 'Surveys',
    summary,
    params: { survey_id: SurveyId, response_uuid: ResponseUuid },
    responses: { 200: Done },
    errors: ['invalid_input'],
    async handler({ auth, params, context }) {
      if (!isUuid(params.response_uuid)) throw new AppError('invalid_input', { detail: 'Invalid UUID format' });
      await change(context.prisma, {
        projectId: auth.project.id,
        surveyId: params.survey_id,
        responseUuid: params.response_uuid.toLowerCase(),
      });
      return { success: true };
    },
  });
}
