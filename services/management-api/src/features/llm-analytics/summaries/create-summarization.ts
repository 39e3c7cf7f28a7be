import { AppError } from '@millrace/http/errors/errors.ts';
import type { UnparsedBody } from '@millrace/http/define-route.ts';
import { bytes as bytesReply } from '@millrace/http/replies/reply.ts';
import { LanguageModelError } from '../../../language-model/language-model.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import { projectRoute, type Context } from '../context.ts';
import { requireProjectConsent } from '../require-project-consent.ts';
import { findSource } from './find-source.ts';
import type { SummaryKey } from './store/summary-store.ts';
import { makeOnce, type MadeSummary } from './store/make-once.ts';
import { finishSummary, prepareSummary, type PreparedSummary } from './summarize.ts';
import { readSummaryRequest, SummarizationBody, type SummaryRequest } from './summary-request.ts';
import { Summarization } from './summary.ts';

/** Largest body that is read in the event loop, in bytes (contract/decisions 61). */
const hereBytesMax = 262_144;

export const createSummarization = projectRoute({
  operationId: 'create_summarization',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/summarization',
  access: { scope: 'llm_analytics:write' },
  throttle: 'summarization',
  tag: 'LLM analytics',
  summary: 'Summarize a trace or an LLM event',
  description:
    'Needs the consent of the organization to AI data processing. A summary is kept for an hour, by id, mode and model. Without a language model it is extracted from the data: quotations and counts, with the lines where they stand.',
  jsonOnly: true,
  unparsed: true,
  body: SummarizationBody,
  responses: { 200: Summarization },
  errors: ['unavailable', 'error'],
  find: ({ context, auth: { project } }) => requireProjectConsent(context, project, 'summarization'),
  async handler({ unparsed, context, auth, signal }) {
    if (unparsed === undefined) throw new Error('the route is declared as unparsed');
    const { request, prepare } = await readRequest(context, auth, unparsed, signal);
    const { isForced, ...entry } = request;
    const key = { projectId: auth.project.id, ...entry };
    const body = await makeOnce(context, key, { isForced, signal }, async () =>
      madeSummary(context, auth, await prepare(key), signal),
    );
    return bytesReply('application/json', [new TextEncoder().encode(body)]);
  },
});

interface ReadRequest {
  request: Omit<SummaryRequest, 'source'>;
  /** The text of the data and its summary without a model. */
  prepare: (key: SummaryKey) => PreparedSummary | Promise<PreparedSummary>;
}

/** Reads a body: a large one in a thread, which gets it again when its data is to be rendered. A stored summary costs no rendering. */
async function readRequest(
  context: Context,
  { project: { organizationId } }: ProjectAccess,
  body: UnparsedBody,
  signal: AbortSignal,
): Promise<ReadRequest> {
  const { renderThreads, summaryModel } = context;
  const { textLengthMax } = summaryModel;
  const findAndPrepare = async (key: SummaryKey): Promise<PreparedSummary> =>
    prepareSummary(await findSource(context, key), key.mode, textLengthMax);
  if (body.bytes.length <= hereBytesMax) {
    const { source, ...request } = readSummaryRequest(body);
    const prepare = source === null ? findAndPrepare : () => prepareSummary(source, request.mode, textLengthMax);
    return { request, prepare };
  }
  const asker = { organizationId, signal };
  const { request, hasData, bytes } = await renderThreads.readRequest(body, asker);
  const prepareData = () => renderThreads.prepare({ ...body, bytes }, textLengthMax, asker);
  return { request, prepare: hasData ? prepareData : findAndPrepare };
}

async function madeSummary(
  { languageModel, modelBudget, modelSlots, summaryModel }: Context,
  { caller, project }: ProjectAccess,
  prepared: PreparedSummary,
  signal: AbortSignal,
): Promise<MadeSummary> {
  const finish = () => finishSummary(prepared, { model: languageModel, modelName: summaryModel.name, signal });
  const isAsked = summaryModel.name !== null && !prepared.isNothing;
  const { summary, model } = await (
    isAsked
      ? modelSlots.run(project.id, async () => {
          await modelBudget.take(caller.userId);
          return await finish();
        })
      : finish()
  ).catch((error: unknown) => {
    throw error instanceof LanguageModelError ? failed(error) : error;
  });
  const { type, mode, text, textLength, eventsOmitted } = prepared;
  const metadata = {
    text_repr_length: textLength,
    model,
    summarize_type: type,
    mode,
    ...(eventsOmitted > 0 && { events_omitted: eventsOmitted }),
  };
  return { title: summary.title, body: JSON.stringify({ summary, text_repr: text, metadata }) };
}

function failed(cause: LanguageModelError): AppError {
  return new AppError('error', {
    detail: 'An error occurred while generating the summary',
    fields: { error: 'Failed to generate summary' },
    cause,
  });
}
