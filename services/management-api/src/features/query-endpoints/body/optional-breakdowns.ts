import { AppError } from '@millrace/http/errors/errors.ts';
import { breakdownVariables } from '../../../queries/insights/insight-breakdowns.ts';

/**
 * Properties that runs of a materialized insight may leave out, each once; null: none (contract/endpoints 3). Pure.
 * @throws {AppError} 400 on `optional_breakdown_properties`: the query is not broken down by one of them
 */
export function readOptionalBreakdowns(given: readonly string[] | null, query: unknown): string[] {
  const names = [...new Set(given ?? [])];
  const known = breakdownsOf(query);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  const detail =
    known.length === 0
      ? 'This query has no breakdown properties.'
      : `The query is not broken down by ${JSON.stringify(unknown.slice(0, 100))}. Breakdown properties here: ${known.join(', ').slice(0, 500)}.`;
  throw new AppError('invalid_input', { attr: 'optional_breakdown_properties', detail });
}

/** The properties among them that a new query still has. Pure. */
export function keptBreakdowns(names: readonly string[], query: unknown): string[] {
  const known = breakdownsOf(query);
  return names.filter((name) => known.includes(name));
}

const breakdownsOf = (query: unknown): string[] => breakdownVariables(query as Readonly<Record<string, unknown>>);
