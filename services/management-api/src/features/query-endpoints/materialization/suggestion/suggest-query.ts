import { LanguageModelError, type AskModel } from '../../../../language-model/language-model.ts';
import {
  SuggestionReply,
  systemPrompt,
  userPrompt,
  type FailedRound,
  type SuggestionTask,
} from './suggestion-prompt.ts';

/** The reply of `materialization_suggestion` (contract/endpoints 6.9). */
export interface Suggestion {
  suggestion_status: 'ok' | 'cannot_fix' | 'invalid' | 'model_error';
  /** The query that passed (`ok`), or the last one (`invalid`); else null. */
  suggested_query: string | null;
  explanation: string | null;
  /** Calls of the model. 0: the rewriter's query passed. */
  attempts: number;
  /** The last problem, with `invalid` and `model_error`. */
  error: string | null;
  /** Why the query that there is cannot be materialized. */
  original_reason: string;
}

/** A rewritten query, with one or two sentences about what was changed. */
interface Rewrite {
  query: string;
  explanation: string;
}

/** Result of the checks of a suggestion. `problem` is for the caller. `told` is for the model: no value of a variable is in it. */
export type SuggestionCheck =
  { readonly ok: true } | { readonly ok: false; readonly problem: string; readonly told: string };

export interface SuggestionParts {
  /** The query by fixed rules; undefined: none of them helps. */
  rewrite: () => Promise<Rewrite | undefined>;
  /** The real checks: it compiles, keeps placeholders and columns, and can be materialized. */
  validate: (sql: string) => Promise<SuggestionCheck>;
  /** Does the rounds with the model as one task. Not called where the rewriter's query passes. */
  withModel: (rounds: (ask: AskModel) => Promise<Suggestion>) => Promise<Suggestion>;
  /** Time in milliseconds, for the limit of all rounds. */
  nowMs: () => number;
  /** Ends the call of the model. */
  signal: AbortSignal;
}

const roundsMax = 3;
const callMsMax = 90_000;
const totalMsMax = 150_000;
const explanationCharsMax = 1_000;
/** A call that could only run out of time is not made. */
const callMsMin = 1_000;

/**
 * Suggests an equivalent query that can be materialized: by the rewriter, else by at most three rounds of suggest, check and repair with the
 * model, in at most 150 s. A suggestion is `ok` only when it passed the checks, whatever the model says of it. Nothing is saved or run.
 * @throws {LanguageModelError} when the first call of the model has no reply; later ones end the rounds
 * @throws what `withModel` throws
 */
export async function suggestQuery(task: SuggestionTask, parts: SuggestionParts): Promise<Suggestion> {
  const untilMs = parts.nowMs() + totalMsMax;
  const rewritten = await parts.rewrite();
  if (rewritten !== undefined && (await parts.validate(rewritten.query)).ok)
    return suggestion(task, 'ok', { suggested_query: rewritten.query, explanation: rewritten.explanation });
  return await parts.withModel((ask) => suggestByModel(task, { ...parts, ask, untilMs }));
}

const suggestion = (
  task: SuggestionTask,
  status: Suggestion['suggestion_status'],
  fields: Partial<Suggestion>,
): Suggestion => ({
  suggestion_status: status,
  suggested_query: null,
  explanation: null,
  attempts: 0,
  error: null,
  original_reason: task.reason,
  ...fields,
});

interface Asking extends SuggestionParts {
  ask: AskModel;
  untilMs: number;
}

async function suggestByModel(task: SuggestionTask, asking: Asking): Promise<Suggestion> {
  const rounds: FailedRound[] = [];
  let last: Partial<Suggestion> = {};
  let attempts = 0;
  let error = 'No time was left for a call of the language model.';
  while (attempts < roundsMax) {
    const leftMs = asking.untilMs - asking.nowMs();
    if (leftMs < callMsMin) break;
    attempts += 1;
    const reply = await askModel(task, rounds, leftMs, asking);
    if (reply instanceof LanguageModelError) {
      // The first one is the caller's to report. Behind a reply, what there is says more.
      if (attempts === 1) throw reply;
      error = reply.message;
      break;
    }
    if (!reply.ok) {
      rounds.push({ query: null, problem: reply.problem });
      error = reply.problem;
      continue;
    }
    const { suggested_query } = reply.value;
    const explanation = reply.value.explanation?.slice(0, explanationCharsMax) ?? null;
    if (suggested_query === null) return suggestion(task, 'cannot_fix', { explanation, attempts });
    const check = await asking.validate(suggested_query);
    if (check.ok) return suggestion(task, 'ok', { suggested_query, explanation, attempts });
    rounds.push({ query: suggested_query, problem: check.told });
    last = { suggested_query, explanation, error: check.problem };
  }
  if (last.suggested_query === undefined) return suggestion(task, 'model_error', { error, attempts });
  return suggestion(task, 'invalid', { ...last, attempts });
}

function askModel(task: SuggestionTask, rounds: readonly FailedRound[], leftMs: number, { ask, signal }: Asking) {
  const request = { system: systemPrompt(task.rules), user: userPrompt(task, rounds), schema: SuggestionReply };
  return ask({ ...request, signal, timeoutMs: Math.min(callMsMax, leftMs) }).catch((error: unknown) => {
    if (error instanceof LanguageModelError) return error;
    throw error;
  });
}
