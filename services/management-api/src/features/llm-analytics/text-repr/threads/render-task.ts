import type { UnparsedBody } from '@millrace/http/define-route.ts';
import { AppError, type ErrorDetails } from '@millrace/http/errors/errors.ts';
import type { ErrorCode } from '@millrace/http/errors/error-table.ts';
import { answerBytes } from '../answer-bytes.ts';

/** Result of a task as it leaves its thread. */
export type RenderOutcome =
  { answer: Uint8Array<ArrayBuffer> } | { error: { code: ErrorCode; details: Pick<ErrorDetails, 'detail' | 'attr'> } };

/** Answers a body; errors of the request are a part of the outcome. @throws what is our fault */
export function runRenderTask(body: UnparsedBody): RenderOutcome {
  try {
    return { answer: answerBytes(body) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { attr = null } = error.details;
    return { error: { code: error.code, details: { detail: error.message, attr } } };
  }
}
