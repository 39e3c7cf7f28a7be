import type { PreparedQuery } from '@millrace/query-language/compile.ts';
import { quotedPlaceholders } from '@millrace/query-language/placeholders/quoted-placeholder.ts';
import { locate } from '@millrace/query-language/query-error.ts';
import { onQuery, type DeclaredVariable } from '../definition/variables.ts';

type Constants = Readonly<Record<string, unknown>>;

/** Names of the variables that a query has in braces. Pure. */
export function usedVariables({ placeholders }: PreparedQuery): Set<string> {
  return new Set(placeholders.filter(({ chain }) => isVariable(chain)).map(({ chain }) => nameOf(chain)));
}

/** Is it `{variables.…}`? */
export function isVariable(chain: readonly string[]): boolean {
  return chain[0] === 'variables' && chain.length > 1;
}

/** Its name. */
export const nameOf = (chain: readonly string[]): string => chain.slice(1).join('.');

/** @throws {AppError} 400 on `query`: placeholders that nothing gives a value */
export function refuseUndefined(
  { placeholders }: PreparedQuery,
  used: ReadonlySet<string>,
  declared: readonly DeclaredVariable[],
  constants: Constants,
): void {
  const known = new Set(declared.map(({ name }) => name));
  const undefinedVariables = [...used].filter((name) => !known.has(name));
  if (undefinedVariables.length > 0) {
    throw onQuery(
      `Undefined variables: ${undefinedVariables.join(', ').slice(0, 500)}. Declare each in query.variables with its code_name.`,
    );
  }
  const bare = placeholders.filter(({ chain }) => !isVariable(chain)).map(({ chain }) => chain.join('.'));
  const missing = bare.filter((name) => name !== 'filters' && !Object.hasOwn(constants, name));
  const ofFilters = missing.find((name) => name.startsWith('filters.'));
  if (ofFilters !== undefined)
    throw onQuery(
      `{${ofFilters.slice(0, 200)}} is not known. Only {filters} can be used: it applies all of query.filters, including dateRange. Write WHERE {filters}.`,
    );
  const [first] = missing;
  if (first === undefined) return;
  const names = missing.map((name) => `{${name}}`).join(', ');
  throw onQuery(
    `No value in query.values for: ${names.slice(0, 500)}. A variable is written {variables.${first.slice(0, 200)}}.`,
  );
}

/**
 * Refuses a declared variable that the SQL has in quotes alone: its value was meant. Without the declaration the text may be meant, and
 * the run warns.
 * @throws {AppError} 400 on `query`
 */
export function refuseQuoted(
  { tree }: PreparedQuery,
  sql: string,
  used: ReadonlySet<string>,
  declared: readonly DeclaredVariable[],
): void {
  const unused = new Set(declared.filter(({ name }) => !used.has(name)).map(({ name }) => `variables.${name}`));
  if (unused.size === 0) return;
  const quoted = quotedPlaceholders(tree).find(({ chain }) => unused.has(chain));
  if (quoted === undefined) return;
  const { line, column } = locate(sql, quoted.position);
  throw onQuery(`{${quoted.chain}} in quotes is a text. ${quoted.advice} (line ${line}, column ${column})`);
}
