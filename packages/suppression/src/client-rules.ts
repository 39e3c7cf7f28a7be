import type { Filter, FilterGroup, Operator } from './filters.ts';
import type { StoredRule } from './suppression-rules.ts';
import { FilterError } from './filters.ts';
import { readFilters } from './read-filters.ts';

/** A rule in the form in which the settings of client libraries have it. */
export interface ClientRule {
  type: 'AND' | 'OR';
  values: { key: string; type: 'event'; operator: Operator; value: string | string[] }[];
}

const keys: ReadonlySet<string> = new Set(['$exception_types', '$exception_values']);
const clientOperators: ReadonlySet<Operator> = new Set(['exact', 'is_not', 'icontains', 'not_icontains']);

/**
 * The rules that a client library can decide alone, in their order: it then does not send what would be dropped. A flat group, which is not
 * empty, of texts that types and messages are compared with, and which drops all that it matches (contract/orgs-errors 5.2). Pure.
 */
export function clientRules(rules: readonly StoredRule[]): ClientRule[] {
  return rules.flatMap(({ filters, samplingRate }) => (samplingRate === 1 ? (clientRule(filters) ?? []) : []));
}

function clientRule(stored: unknown): ClientRule | null {
  const { type, values } = filtersOf(stored);
  const filters = values.filter((part): part is Filter => 'key' in part && isForClients(part));
  if (filters.length === 0 || filters.length < values.length) return null;
  return {
    type,
    values: filters.map(({ key, operator, values: texts }) => ({
      key,
      type: 'event',
      operator,
      value: texts.length === 1 ? String(texts[0]) : texts.map(String),
    })),
  };
}

/** Without values for filters that cannot be read: such a rule drops nothing. */
function filtersOf(stored: unknown): FilterGroup {
  try {
    return readFilters(stored);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return { type: 'AND', values: [] };
  }
}

const isForClients = ({ key, operator, values }: Filter): boolean =>
  keys.has(key) && clientOperators.has(operator) && values.every((value) => typeof value === 'string');
