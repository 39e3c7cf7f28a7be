import { errorTable, type ErrorCode } from './error-table.ts';

export interface ErrorDetails {
  /** Public sentence; default: the table's. */
  detail?: string;
  /** The field that the error is about, nested parts joined by `__`; default null. */
  attr?: string | null;
  /** Replaces the code in the body where an outside name is part of the contract (an engine's error name). */
  publicCode?: string;
  /** Repeats the sentence as `error`, where a document shows that bare form (contract/decisions 38). */
  bare?: boolean;
  /** More keys of the body, such as `current_version`. */
  fields?: Readonly<Record<string, unknown>>;
  /** Seconds, sent as `Retry-After`. */
  retryAfterS?: number;
  /** More headers of the reply. */
  headers?: Readonly<Record<string, string>>;
  /** The sentence for logs that other people read, where it may say more than the table's: nothing that the caller chose is in it. */
  logged?: string;
  /** The original error; logged, never sent. */
  cause?: unknown;
}

/** A failure with a public face: a code of the closed table, a sentence, and a cause that never reaches the client. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(
      details.detail ?? errorTable[code].detail,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = code;
    this.details = details;
  }
  get status(): number {
    return errorTable[this.code].status;
  }
}

const shownLengthMax = 200;

/** A 404 with a sentence about what is not there. `given` is the text of the request that follows it, in quotes. */
export function notFound(what: string, given?: string): AppError {
  const asked = given === undefined ? '' : ` ${JSON.stringify(given.slice(0, shownLengthMax))}`;
  return new AppError('not_found', { detail: `Not found. ${what}${asked}.`, logged: `${what}.` });
}

/** `{type, code, detail, attr}` and what a document adds (contract/orgs-errors 1.4, contract/decisions 38). */
export interface ErrorBody {
  type: string;
  code: string;
  detail: string;
  attr: string | null;
  error?: string;
  [extra: string]: unknown;
}

/** The body of an error's reply. Holds nothing of the cause. */
export function errorBody(error: AppError): ErrorBody {
  const { attr = null, publicCode, bare, fields } = error.details;
  const body = { type: errorTable[error.code].type, code: publicCode ?? error.code, detail: error.message, attr };
  return { ...body, ...(bare ? { error: error.message } : {}), ...fields };
}

/** Headers that go with an error: `WWW-Authenticate` on 401, `Retry-After` where the error gives one or the status needs one. */
export function errorHeaders(error: AppError): Record<string, string> {
  const headers: Record<string, string> = { ...error.details.headers };
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  const { retryAfterS = error.status === 429 || error.status === 503 ? 1 : undefined } = error.details;
  if (retryAfterS !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterS)));
  return headers;
}
