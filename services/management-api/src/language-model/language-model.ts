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

/** A language model behind an OpenAI-compatible server. Replies are data: never run, never shown as HTML. */
export interface LanguageModel {
  /** True when an address and a model are set. Texts leave this system by `reply` then; ask for consent first (`requireAiConsent`). */
  readonly isConfigured: boolean;
  /**
   * The model's reply to one call. Fields that the schema does not name are removed, at any depth.
   * @throws {LanguageModelError} when there was no reply
   */
  reply<Schema extends TObject>(request: ReplyRequest<Schema>): Promise<ModelReply<Schema>>;
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
