import { AppError } from '@millrace/http/errors/errors.ts';
import type { LanguageModelError } from './language-model.ts';

/** The reply to a request that a model did not answer: 503 when there is none or it is away, 502 otherwise (contract/endpoints 6.9). Pure. */
export function modelErrorReply(error: LanguageModelError): AppError {
  return new AppError(error.kind === 'failed' ? 'language_model_failed' : 'language_model_unavailable', {
    bare: true,
    detail: error.message,
    cause: error,
  });
}
