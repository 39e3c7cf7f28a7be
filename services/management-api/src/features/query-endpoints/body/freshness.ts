import { AppError } from '@millrace/http/errors/errors.ts';

/** Choices of every system, in seconds that a result may be old (contract/endpoints 5). */
const usualChoices = [900, 1800, 3600, 21_600, 43_200, 86_400, 604_800];
/** Choices that an operator may allow beside them: each makes more work for ClickHouse. */
const shortChoices = [0, 10, 60];

export const dataFreshnessDefault = 86_400;

export const dataFreshnessDescription = `Seconds that a cached result may be old: ${usualChoices.join(', ')}; ${shortChoices.join(', ')} where the operator allows them. Null: ${dataFreshnessDefault}.`;

/** `minSeconds`: the least that the operator allows. Null and undefined are the default. Pure. @throws {AppError} 400 invalid_choice, which lists the choices */
export function refuseFreshness(seconds: number | null | undefined, minSeconds: number): void {
  const choices = [...shortChoices.filter((choice) => choice >= minSeconds), ...usualChoices];
  if (seconds === null || seconds === undefined || choices.includes(seconds)) return;
  throw new AppError('invalid_choice', {
    attr: 'data_freshness_seconds',
    detail: `"${seconds}" is not a valid choice. Choose one of: ${choices.join(', ')}.`,
  });
}
