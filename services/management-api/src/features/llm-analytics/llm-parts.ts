import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Pool } from '@millrace/postgres/pool.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Context as CommonContext } from '../../context.ts';
import { createPreparedStatements } from '../../database/prepared-statements.ts';
import type { LanguageModelConfig } from '../../language-model/language-model-settings.ts';
import type { Context } from './context.ts';
import { summaryModelOf } from './summaries/model/summary-model.ts';
import { createSummarySweep } from './summaries/store/sweep-summaries.ts';
import { createRenderThreads } from './threads/render-threads.ts';

interface LlmPartsOptions {
  prisma: PrismaClient;
  pool: Pick<Pool, 'query'>;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}

/** The parts of LLM analytics, those of its `context.ts`, and those that start and stop with the process. */
export function createLlmParts(
  config: LanguageModelConfig,
  { prisma, pool, clock, logger }: LlmPartsOptions,
): { context: Omit<Context, keyof CommonContext>; parts: Part[] } {
  const renderThreads = createRenderThreads((reason) =>
    logger.warn({ reason }, 'a text of LLM data was ended before it was done'),
  );
  return {
    context: {
      renderThreads,
      summaryModel: summaryModelOf(config),
      runPrepared: createPreparedStatements(pool),
    },
    parts: [
      { name: 'texts of LLM data', stop: () => renderThreads.close() },
      createSummarySweep({ prisma, clock, logger }),
    ],
  };
}
