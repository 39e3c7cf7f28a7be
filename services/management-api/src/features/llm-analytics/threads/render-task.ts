import type { UnparsedBody } from '@millrace/http/define-route.ts';
import { AppError, type ErrorDetails } from '@millrace/http/errors/errors.ts';
import type { ErrorCode } from '@millrace/http/errors/error-table.ts';
import { requestBytes } from '../summaries/request-bytes.ts';
import { answerBytes } from '../text-repr/answer-bytes.ts';

/** The work on a body: the reply of `text_repr`, or a summary without a model (`requestBytes`). */
export type RenderWork = { readonly kind: 'text' } | { readonly kind: 'summary'; readonly textLengthMax: number };

export interface RenderTask {
  body: UnparsedBody;
  work: RenderWork;
}

/** Result of a task as it leaves its thread. */
export type RenderOutcome =
  { answer: Uint8Array<ArrayBuffer> } | { error: { code: ErrorCode; details: Pick<ErrorDetails, 'detail' | 'attr'> } };

/** Does the work on a body; errors of the request are a part of the outcome. @throws what is our fault */
export function runRenderTask({ body, work }: RenderTask): RenderOutcome {
  try {
    return { answer: work.kind === 'text' ? answerBytes(body) : requestBytes(body, work.textLengthMax) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { attr = null } = error.details;
    return { error: { code: error.code, details: { detail: error.message, attr } } };
  }
}
