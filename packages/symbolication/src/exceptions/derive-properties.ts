import type { ResolvedException } from './resolve-exceptions.ts';

/**
 * Properties of `$exception` events that are the server's: those of a client under these names are replaced or removed, all others
 * keep their bytes (contract/decisions 102).
 */
export const serverProperties = [
  '$exception_list',
  '$exception_types',
  '$exception_values',
  '$exception_sources',
  '$exception_functions',
  '$exception_handled',
  '$exception_releases',
  '$exception_issue_id',
  '$cymbal_errors',
] as const;

/** Properties that the server derives of an event's exceptions (contract/orgs-errors 5.2). */
export interface DerivedProperties {
  $exception_types: string[];
  $exception_values: string[];
  /** Sources and functions are those of frames in the application. */
  $exception_sources: string[];
  $exception_functions: string[];
  /** As the first exception says. */
  $exception_handled: boolean;
}

/** Values in each list (contract/decisions 108). */
const valuesMax = 100;

/** Derives the properties of exceptions with resolved frames. Each list has a value once, in the order of the event. Pure. */
export function deriveProperties(exceptions: readonly ResolvedException[]): DerivedProperties {
  const inApp = exceptions.flatMap(({ stacktrace }) => stacktrace?.frames ?? []).filter(({ in_app }) => in_app);
  return {
    $exception_types: unique(exceptions.map(({ type }) => type)),
    $exception_values: unique(exceptions.map(({ value }) => value)),
    $exception_sources: unique(inApp.map(({ source }) => source)),
    $exception_functions: unique(inApp.map(({ resolved_name, mangled_name }) => resolved_name ?? mangled_name)),
    $exception_handled: exceptions[0]?.mechanism?.handled === true,
  };
}

const unique = (texts: readonly (string | undefined)[]): string[] =>
  [...new Set(texts)].filter((text) => text !== undefined && text !== '').slice(0, valuesMax) as string[];
