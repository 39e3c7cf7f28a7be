import type { QueryColumn } from '@millrace/query-language/columns.ts';

/** The parts of a query that its callers see. */
export interface QuerySurface {
  /** Placeholders as they stand in braces: `variables.plan`. */
  placeholders: ReadonlySet<string>;
  columns: readonly QueryColumn[];
}

/**
 * The first difference between a query and its rewrite that callers would see: another placeholder, or another name, type or order of
 * columns (contract/endpoints 6.9). Undefined: there is none. Pure.
 */
export function suggestionDifference(original: QuerySurface, suggested: QuerySurface): string | undefined {
  const lost = without(original.placeholders, suggested.placeholders);
  if (lost.length > 0) return `It must keep ${inBraces(lost)}.`;
  const added = without(suggested.placeholders, original.placeholders);
  if (added.length > 0) return `It must not add ${inBraces(added)}.`;
  const [before, after] = [inWords(original.columns), inWords(suggested.columns)];
  return before === after ? undefined : `Its columns must be ${before}. They are ${after}.`;
}

const without = (names: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...names].filter((name) => !others.has(name));

const inBraces = (names: readonly string[]): string => names.map((name) => `{${name}}`).join(', ');

const inWords = (columns: readonly QueryColumn[]): string =>
  columns.map(({ name, type }) => `${JSON.stringify(name)} (${type})`).join(', ');
