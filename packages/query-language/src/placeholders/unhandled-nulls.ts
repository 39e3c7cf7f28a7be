import type { QueryWarning } from '../warnings.ts';
import type { FoundPlaceholder } from './placeholders.ts';

/**
 * Warnings without those of a NULL variable that the query has elsewhere too, not compared: `{variables.x} IS NULL OR …` means NULL. Pure.
 */
export function withoutHandledNulls(
  warnings: readonly QueryWarning[],
  placeholders: readonly FoundPlaceholder[],
): QueryWarning[] {
  const compared = new Set(warnings.filter(({ code }) => code === 'null_variable').map(({ start }) => start));
  if (compared.size === 0) return [...warnings];
  const nameAt = new Map(placeholders.map(({ chain, position }) => [position.start, chain.join('.')]));
  const handled = new Set(
    placeholders.filter(({ position }) => !compared.has(position.start)).map(({ chain }) => chain.join('.')),
  );
  return warnings.filter(({ code, start }) => code !== 'null_variable' || !handled.has(nameAt.get(start) ?? ''));
}
