import type { IncomingMessage, ServerResponse } from 'node:http';
import { recordingBytesMax } from '../http/body-limits.ts';
import type { BodyReader } from '../http/read-body.ts';
import { replyToFailure, type FailureDeps } from '../http/failure-reply.ts';
import { sendOk } from '../http/replies.ts';

/**
 * Takes session recordings and keeps nothing of them (contract/decisions 27): clients that record all the same,
 * whatever their configuration says, get 200 and stay quiet. The returned promise never rejects.
 */
export function createDiscardRecordings(deps: FailureDeps & { reader: BodyReader }) {
  return async function discardRecordings(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await deps.reader.discard(request, recordingBytesMax);
      sendOk(response, request.url?.includes('beacon=1') === true);
    } catch (error) {
      replyToFailure(deps, response, error);
    }
  };
}
