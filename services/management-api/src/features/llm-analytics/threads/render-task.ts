import type { UnparsedBody } from '@millrace/http/define-route.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { taskErrorOf, type TaskError } from '../../../task-error.ts';
import { prepareStored, type StoredKey } from '../summaries/prepare-stored.ts';
import { prepareSummary, type PreparedSummary } from '../summaries/summarize.ts';
import { readSummaryRequest, type SummaryRequest } from '../summaries/summary-request.ts';
import { answerBytes } from '../text-repr/answer-bytes.ts';
import { unpackTrace } from '../traces/packed-trace.ts';
import { tracePageBytes } from '../traces/trace-page.ts';

/** Bytes that can be handed over. */
export type OwnBytes = Uint8Array<ArrayBuffer>;

interface OwnBody extends UnparsedBody {
  readonly bytes: OwnBytes;
}

/** A request for a summary whose data was read, and the body, which comes back. */
export interface ReadRequest {
  request: Omit<SummaryRequest, 'source'>;
  hasData: boolean;
  bytes: OwnBytes;
}

/**
 * `text`: the reply of `text_repr`. `request`: what a summary is of. `summary`: the summary of a body's data without a model. `trace page`: the page
 * of a packed trace. `stored summary`: the summary of a packed trace without a model.
 */
export type RenderTask = { readonly body: OwnBody } & (
  | { readonly kind: 'text' }
  | { readonly kind: 'request' }
  | { readonly kind: 'summary'; readonly textLengthMax: number }
  | { readonly kind: 'trace page'; readonly traceId: string }
  | { readonly kind: 'stored summary'; readonly key: StoredKey; readonly textLengthMax: number }
);

/** Result of a task as it leaves its thread. */
export type RenderOutcome =
  { text: OwnBytes } | { read: ReadRequest } | { prepared: PreparedSummary } | { error: TaskError };

/** Does a task; errors of the request are a part of the outcome. @throws what is our fault */
export function runRenderTask(task: RenderTask): RenderOutcome {
  try {
    return outcomeOf(task);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: taskErrorOf(error) };
  }
}

function outcomeOf(task: RenderTask): RenderOutcome {
  const { body } = task;
  if (task.kind === 'text') return { text: answerBytes(body) };
  if (task.kind === 'trace page') return { text: tracePageBytes(task.traceId, unpackTrace(body.bytes)) };
  if (task.kind === 'stored summary')
    return { prepared: prepareStored(task.key, unpackTrace(body.bytes), task.textLengthMax) };
  const { source, ...request } = readSummaryRequest(body);
  if (task.kind === 'request') return { read: { request, hasData: source !== null, bytes: body.bytes } };
  if (source === null) throw new Error('the body has no data');
  return { prepared: prepareSummary(source, request.mode, task.textLengthMax) };
}

/** The buffers of an outcome that are handed over. */
export function buffersOf(outcome: RenderOutcome): ArrayBuffer[] {
  if ('text' in outcome) return [outcome.text.buffer];
  if ('prepared' in outcome) return [outcome.prepared.textJson.buffer];
  return 'read' in outcome ? [outcome.read.bytes.buffer] : [];
}
