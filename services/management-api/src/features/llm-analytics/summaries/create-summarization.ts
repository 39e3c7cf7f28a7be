import { AppError } from '@millrace/http/errors/errors.ts';
import { bytes } from '@millrace/http/replies/reply.ts';
import { LanguageModelError } from '../../../language-model/language-model.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import { queryErrors } from '../../../queries/execute/engine-errors.ts';
import { projectRoute, type Context } from '../context.ts';
import { requireProjectConsent } from '../require-project-consent.ts';
import { readRequest } from './read-request.ts';
import { makeOnce, type MadeSummary } from './store/make-once.ts';
import { finishSummary, type PreparedSummary } from './summarize.ts';
import { SummarizationBody } from './summary-request.ts';
import { Summarization } from './summary.ts';

export const createSummarization = projectRoute({
  operationId: 'create_summarization',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/summarization',
  access: { scope: 'llm_analytics:write' },
  throttle: 'summarization',
  tag: 'LLM analytics',
  summary: 'Summarize a trace or an LLM event',
  description:
    'Needs the consent of the organization to AI data processing. The data comes with the request, or stored events are found by id: a stored trace by `trace_id`, an event by its uuid as `generation_id`. A summary is kept for an hour, by id, mode and model. Without a language model it is extracted from the data: quotations and counts, with the lines where they stand.',
  jsonOnly: true,
  unparsed: true,
  body: SummarizationBody,
  responses: { 200: Summarization },
  errors: [...queryErrors, 'unavailable', 'error'],
  find: ({ context, auth: { project } }) => requireProjectConsent(context, project, 'summarization'),
  async handler({ unparsed, context, auth, signal }) {
    if (unparsed === undefined) throw new Error('the route is declared as unparsed');
    const { key, isForced, prepare } = await readRequest(unparsed, { context, auth, signal });
    const made = await makeOnce(context, key, { isForced, signal }, async () =>
      madeSummary(context, auth, await prepare(), signal),
    );
    return bytes('application/json', [made]);
  },
});

async function madeSummary(
  { languageModel, summaryModel }: Context,
  { caller, project }: ProjectAccess,
  prepared: PreparedSummary,
  signal: AbortSignal,
): Promise<MadeSummary> {
  const asking = {
    model: languageModel,
    modelName: summaryModel.name,
    user: { projectId: project.id, userId: caller.userId },
    signal,
  };
  const { summary, model } = await finishSummary(prepared, asking).catch((error: unknown) => {
    throw error instanceof LanguageModelError ? failed(error) : error;
  });
  const { type, mode, textJson, textLength, eventsOmitted } = prepared;
  const metadata = {
    text_repr_length: textLength,
    model,
    summarize_type: type,
    mode,
    ...(eventsOmitted > 0 && { events_omitted: eventsOmitted }),
  };
  const head = `{"summary":${JSON.stringify(summary)},"text_repr":`;
  const end = `,"metadata":${JSON.stringify(metadata)}}`;
  return { title: summary.title, reply: Buffer.concat([Buffer.from(head), textJson, Buffer.from(end)]) };
}

function failed(cause: LanguageModelError): AppError {
  return new AppError('error', {
    detail: 'An error occurred while generating the summary',
    fields: { error: 'Failed to generate summary' },
    cause,
  });
}
