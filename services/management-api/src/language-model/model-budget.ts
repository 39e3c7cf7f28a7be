import { refuseUntil, type ThrottleCounter } from '../auth/throttles.ts';
import type { LanguageModelConfig } from './language-model-settings.ts';

/** How often users may have the language model asked. Each call of it costs the operator, whatever the rates of keys are. */
export interface ModelBudget {
  /** Counts one task of the user, which may be a few calls. @throws {AppError} throttled, with the seconds to wait; then it is not counted */
  take(userId: number): Promise<void>;
}

/** The budget of the settings, for all keys of a user together (contract/endpoints 4.6). */
export function createModelBudget(
  counter: ThrottleCounter,
  { perUserMinuteMax, perUserDayMax }: Pick<LanguageModelConfig, 'perUserMinuteMax' | 'perUserDayMax'>,
): ModelBudget {
  const rates = [
    { limit: perUserMinuteMax, windowMs: 60_000 },
    { limit: perUserDayMax, windowMs: 86_400_000 },
  ];
  return {
    async take(userId) {
      refuseUntil(await counter.take(`language_model:${userId}`, rates));
    },
  };
}
