import { RequestError } from '../http/request-error.ts';
import { parseBody } from '../http/parse-body.ts';

/** Parses a body that is given as its text, or as a value. */
export const parse = (body: unknown): ReturnType<typeof parseBody> =>
  parseBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));

/** Name of the error reply that the work ends with; `taken` when it ends well. */
export function errorReplyOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof RequestError) return error.reply;
    throw error;
  }
  return 'taken';
}
