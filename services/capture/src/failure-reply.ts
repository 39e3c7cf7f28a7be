import type { ServerResponse } from 'node:http';
import { LogUnavailableError, OutcomeUnknownError } from '@millrace/event-log/event-log.ts';
import type { Logger } from '@millrace/runtime/logger.ts';
import { ClientGone } from './read-body.ts';
import { RequestRefused, sendRefusal, type RefusalName } from './replies.ts';

type SendRefusal = (response: ServerResponse, name: RefusalName) => number;

/** The one edge where a failure becomes a reply. Answers with its status, 0 when nobody is left to answer. */
export function replyToFailure(logger: Logger, response: ServerResponse, error: unknown, send: SendRefusal = sendRefusal): number {
  if (error instanceof ClientGone || response.destroyed) return 0;
  return send(response, refusalOf(logger, error));
}

function refusalOf(logger: Logger, error: unknown): RefusalName {
  if (error instanceof RequestRefused) return error.refusal;
  if (error instanceof LogUnavailableError) return 'logUnavailable';
  if (error instanceof OutcomeUnknownError) return 'outcomeUnknown';
  logger.error({ err: error }, 'a request failed');
  return 'fault';
}
