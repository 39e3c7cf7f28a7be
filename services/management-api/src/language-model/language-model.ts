import type { Static, TObject } from 'typebox';

/** One call: a system message, a user message, and the form of the reply. */
export interface ReplyRequest<Schema extends TObject> {
  /** Trusted text alone: the task and its rules. */
  system: string;
  /** The data, fenced: texts of users belong here and nowhere else. */
  user: string;
  /** Form of the reply: one object whose fields are all required. */
  schema: Schema;
  /** Ends the call; `reply` then throws its reason. */
  signal: AbortSignal;
  /** Longest wait for the whole reply, second tries included; LLM_TIMEOUT where that is shorter. */
  timeoutMs?: number;
}

/** The model's reply. `ok: false`: it replied in another form than the one that was asked for; the caller may ask again. */
export type ModelReply<Schema extends TObject> =
  | { readonly ok: true; readonly value: Static<Schema> }
  /** A sentence about the form alone: no text of the reply is in it. */
  | { readonly ok: false; readonly problem: string };

/**
 * Makes one call of the model. Fields of its reply that the schema does not name are removed, at any depth.
 * @throws {LanguageModelError} when there was no reply
 */
export type AskModel = <Schema extends TObject>(request: ReplyRequest<Schema>) => Promise<ModelReply<Schema>>;

/** The user for whom a model is asked, and the project with which. */
export interface ModelUser {
  projectId: number;
  userId: number;
}

/** A language model behind an OpenAI-compatible server. Replies are data: never run, never shown as HTML. */
export interface LanguageModel {
  /** True when an address and a model are set. Texts leave this system by calls then; ask for consent first (`requireAiConsent`). */
  readonly isConfigured: boolean;
  /**
   * Does a task of a few calls, one after the other: in a slot of the project (contract/decisions 72), and as one of the user's budget.
   * Without a model there are neither, and every call throws.
   * @throws {AppError} throttled, before the task: no slot is free, or the budget is used up
   * @throws what the task throws
   */
  task<Result>(user: ModelUser, task: (ask: AskModel) => Promise<Result>): Promise<Result>;
}

/**
 * `not_configured`: no model is set. `unreachable`: no connection, no whole reply in time, or a gateway's 502, 503 or 504. `failed`: any
 * other status, a reply that is no chat completion, a refusal, a connection that was cut.
 */
export type LanguageModelErrorKind = 'not_configured' | 'unreachable' | 'failed';

/** A call without a reply. Its message has words of ours, a status and a code: no prompt, no text of the server, no key. */
export class LanguageModelError extends Error {
  override name = 'LanguageModelError';
  readonly kind: LanguageModelErrorKind;
  /** True when no whole reply came within the time that the caller, or LLM_TIMEOUT, gave. */
  readonly timedOut: boolean;
  constructor(kind: LanguageModelErrorKind, message: string, { timedOut = false } = {}) {
    super(message);
    this.kind = kind;
    this.timedOut = timedOut;
  }
}
