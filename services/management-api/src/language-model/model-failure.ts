import { isErrorLike } from '@millrace/runtime/error-like.ts';
import { LanguageModelError } from './language-model.ts';

/** Codes of Node and its HTTP client for a connection that never came about, or over which no response came. */
const unreachableCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);
const gatewayStatuses = new Set([502, 503, 504]);
const refusedFormatStatuses = new Set([400, 422]);
const causesMax = 5;

/**
 * The error of a call for what the client library threw. Pure. Nothing of the library's error is kept: it holds headers, and what the
 * server wrote, which may repeat the prompt or the key.
 */
export function modelFailure(thrown: unknown): LanguageModelError {
  if (thrown instanceof LanguageModelError) return thrown;
  const status = statusOf(thrown);
  if (status !== undefined)
    return new LanguageModelError(
      gatewayStatuses.has(status) ? 'unreachable' : 'failed',
      `The server of the language model answered ${status}.`,
    );
  const code = codeOf(thrown);
  if (code !== undefined && unreachableCodes.has(code))
    return new LanguageModelError('unreachable', `The server of the language model cannot be reached (${code}).`);
  return new LanguageModelError('failed', `The call of the language model broke off${code ? ` (${code})` : ''}.`);
}

/** Is it the refusal of a reply by a schema? Some servers can write JSON and know no schemas. Pure. */
export function refusesSchema(thrown: unknown): boolean {
  return (
    refusedFormatStatuses.has(statusOf(thrown) ?? 0) &&
    isErrorLike(thrown) &&
    /response_format|json_schema/.test(`${thrown.message} ${String((thrown as { param?: unknown }).param)}`)
  );
}

function statusOf(thrown: unknown): number | undefined {
  const status = isErrorLike(thrown) ? (thrown as { status?: unknown }).status : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** The first code of an error and its causes. */
function codeOf(thrown: unknown): string | undefined {
  let error = thrown;
  for (let depth = 0; depth < causesMax && isErrorLike(error); depth += 1) {
    if (typeof error.code === 'string' && /^[A-Z_0-9]{1,50}$/.test(error.code)) return error.code;
    error = error.cause;
  }
  return undefined;
}
