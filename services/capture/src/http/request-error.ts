import { errorReplies, type ErrorReplyName } from './error-replies.ts';

/** Thrown when a request as a whole is refused; becomes its reply at one edge, `replyToFailure`. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly reply: ErrorReplyName;
  constructor(reply: ErrorReplyName, cause?: unknown) {
    super(errorReplies[reply].detail, cause === undefined ? undefined : { cause });
    this.reply = reply;
  }

  /** True when the body could not be decoded, or was no JSON. */
  isUnreadable(): boolean {
    return errorReplies[this.reply].code === 'parse_error';
  }
}
