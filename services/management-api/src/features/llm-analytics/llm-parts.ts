import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { LanguageModelConfig } from '../../language-model/language-model-settings.ts';
import { createModelSlots } from '../../language-model/model-slots.ts';
import type { Context } from './context.ts';
import { summaryModelOf } from './summaries/model/summary-model.ts';
import { createRenderThreads } from './threads/render-threads.ts';

/** The parts of this feature, whose threads are to be closed. */
export function createLlmParts(
  config: LanguageModelConfig,
  logger: Pick<Logger, 'warn'>,
): Pick<Context, 'renderThreads' | 'modelSlots' | 'summaryModel'> {
  return {
    renderThreads: createRenderThreads((reason) =>
      logger.warn({ reason }, 'a text of LLM data was ended before it was done'),
    ),
    modelSlots: createModelSlots(),
    summaryModel: summaryModelOf(config),
  };
}
