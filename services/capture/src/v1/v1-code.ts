import type { ErrorReplyName } from '../http/error-replies.ts';
import { errorReply } from '../http/replies.ts';

/** The `error` of an error reply in V1, where it has another word than v0 for some (contract/capture 1.10). */
export function v1Code(name: ErrorReplyName): string {
  if (name === 'notAnEvent' || name === 'batchNotAnArray') return 'invalid_batch';
  if (name === 'eventTooLarge') return errorReply('bodyTooLarge').code;
  const { status, code } = errorReply(name);
  return status === 401 && name !== 'noAuthorization' ? 'invalid_api_token' : code;
}

/** The body of an error reply in V1 (contract/decisions 38). */
export function v1ErrorBody(name: ErrorReplyName) {
  return { error: v1Code(name), error_description: errorReply(name).detail, error_uri: null };
}
