import type { TObject } from 'typebox';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { createChatCompletions } from './chat-completions.ts';
import { LanguageModelError, type LanguageModel, type ModelReply, type ReplyRequest } from './language-model.ts';
import type { LanguageModelConfig } from './language-model-settings.ts';
import type { ModelBudget } from './model-budget.ts';
import { modelFailure } from './model-failure.ts';
import { createModelSlots } from './model-slots.ts';
import { readReply, sizeOfCompletion, textOfCompletion } from './read-completion.ts';

/** Results of a call, for metrics. `unusable`: a reply in another form. `aborted`: nobody waits for it any more. */
type CallOutcome = 'ok' | 'unusable' | 'unreachable' | 'failed' | 'aborted';

interface Parts {
  logger: Pick<Logger, 'info' | 'warn'>;
  budget: ModelBudget;
  /** Called once for each call, when it is over. */
  onCall: (outcome: CallOutcome, seconds: number) => void;
}

/** The model of the settings. Logs have sizes, times and the outcome of each call: no text, no key. */
export function createLanguageModel(config: LanguageModelConfig, { logger, budget, onCall }: Parts): LanguageModel {
  const { baseUrl, apiKey, model, timeoutSeconds } = config;
  if (baseUrl === '' || model === null) return { isConfigured: false, task: (_user, task) => task(refuse) };
  const slots = createModelSlots();
  const completions = createChatCompletions(baseUrl, apiKey, model);

  async function reply<Schema extends TObject>(request: ReplyRequest<Schema>): Promise<ModelReply<Schema>> {
    const { signal, system, user, timeoutMs = Infinity } = request;
    signal.throwIfAborted();
    const waitMs = Math.max(1, Math.ceil(Math.min(timeoutMs, timeoutSeconds * 1000)));
    const deadline = AbortSignal.timeout(waitMs);
    const startedMs = performance.now();
    function finish(outcome: CallOutcome, details: object): void {
      const durationMs = Math.round(performance.now() - startedMs);
      const fields = { outcome, systemChars: system.length, userChars: user.length, ...details, durationMs };
      const isFailure = outcome === 'failed' || outcome === 'unreachable';
      logger[isFailure ? 'warn' : 'info'](fields, 'language model called');
      onCall(outcome, durationMs / 1000);
    }
    try {
      const completion = await completions.create(request, AbortSignal.any([signal, deadline]));
      const result = readReply(textOfCompletion(completion), request.schema);
      finish(result.ok ? 'ok' : 'unusable', { ...sizeOfCompletion(completion), format: completions.format });
      return result;
    } catch (error) {
      if (signal.aborted) {
        finish('aborted', {});
        throw signal.reason;
      }
      const failure = deadline.aborted ? timedOut(waitMs) : modelFailure(error);
      finish(failure.kind === 'failed' ? 'failed' : 'unreachable', { reason: failure.message });
      throw failure;
    }
  }
  return {
    isConfigured: true,
    // The slot comes first: a task that finds none is none of the budget.
    task: ({ projectId, userId }, task) =>
      slots.run(projectId, async () => {
        await budget.take(userId);
        return await task(reply);
      }),
  };
}

const timedOut = (waitMs: number): LanguageModelError =>
  new LanguageModelError('unreachable', `The language model gave no whole reply within ${waitMs / 1000} s.`, {
    timedOut: true,
  });

function refuse(): Promise<never> {
  return Promise.reject(
    new LanguageModelError('not_configured', 'No language model is configured: LLM_BASE_URL and LLM_MODEL name one.'),
  );
}
