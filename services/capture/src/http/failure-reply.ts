import type { ServerResponse } from 'node:http';
import { LogUnavailableError, OutcomeUnknownError } from '@millrace/event-log/event-log.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { ClientGone } from './read-body.ts';
import type { ErrorReplyName } from './error-replies.ts';
import { sendError } from './replies.ts';
import { RequestError } from './request-error.ts';
import type { StoreFailures } from './store-failures.ts';

type SendError = (response: ServerResponse, name: ErrorReplyName) => number;

/** Reporters of failures. */
export interface FailureDeps {
  logger: Logger;
  storeFailures: StoreFailures;
}

/** The one edge where a failure becomes a reply. Returns its status; 0 when the client has left. */
export function replyToFailure(
  deps: FailureDeps,
  response: ServerResponse,
  error: unknown,
  send: SendError = sendError,
): number {
  if (error instanceof ClientGone || response.destroyed) return 0;
  return send(response, errorReplyOf(deps, error));
}

function errorReplyOf({ logger, storeFailures }: FailureDeps, error: unknown): ErrorReplyName {
  if (error instanceof RequestError) return error.reply;
  if (isLogFailure(error)) {
    storeFailures.record(error);
    return error instanceof LogUnavailableError ? 'logUnavailable' : 'outcomeUnknown';
  }
  logger.error({ err: error }, 'a request failed');
  return 'internalError';
}

/** True for an error that says: the event log did not store what it was given, or maybe not. */
export function isLogFailure(error: unknown): error is LogUnavailableError | OutcomeUnknownError {
  return error instanceof LogUnavailableError || error instanceof OutcomeUnknownError;
}
