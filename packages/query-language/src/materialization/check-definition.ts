import { parseSelect } from '../parse.ts';
import { QueryError } from '../query-error.ts';
import type { Statement } from '../tree/statements.ts';
import type { Refused } from './plan.ts';
import { finding, refuse, type Finding } from './rules/finding.ts';
import { rules } from './rules/rules.ts';

/** A query as an endpoint stores it, as far as rules look at it. */
export interface EndpointQuery {
  readonly kind?: unknown;
  readonly query?: unknown;
  readonly compareFilter?: unknown;
  readonly breakdownFilter?: unknown;
}

/** A SQL query's tree; none for an insight that may be materialized; or the rule that refuses the query. */
type CheckedDefinition = { readonly ok: true; readonly tree: Statement | undefined } | Refused;

const kinds: ReadonlySet<unknown> = new Set(['HogQLQuery', 'TrendsQuery', 'LifecycleQuery', 'RetentionQuery']);

/** The rules that are about a query as a whole: its kind, what insights may not have, and its text (rules 1 to 4, and 7). Pure. */
export function checkDefinition(query: EndpointQuery): CheckedDefinition {
  const refused = refusalOfInsight(query);
  if (refused) return refuse([refused]);
  if (query.kind !== 'HogQLQuery') return { ok: true, tree: undefined };
  return checkText(query.query);
}

function refusalOfInsight({ kind, compareFilter, breakdownFilter }: EndpointQuery): Finding | undefined {
  if (!kinds.has(kind))
    return finding(
      rules.kind,
      `a query of the kind ${shown(kind)} cannot be materialized; ${[...kinds].join(', ')} can`,
    );
  if (fieldOf(compareFilter, 'compare') === true)
    return finding(rules.compare, 'an insight that compares with the period before cannot be materialized');
  if (breaksDownByCohort(breakdownFilter))
    return finding(rules.cohort, 'an insight with a breakdown by cohort cannot be materialized');
  return undefined;
}

function shown(kind: unknown): string {
  return typeof kind === 'string' ? kind.slice(0, 100) : 'that it has';
}

// The older form has one breakdown, the newer one a list of them.
function breaksDownByCohort(filter: unknown): boolean {
  const several = fieldOf(filter, 'breakdowns');
  return (
    fieldOf(filter, 'breakdown_type') === 'cohort' ||
    (Array.isArray(several) && several.some((each) => fieldOf(each, 'type') === 'cohort'))
  );
}

function fieldOf(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>)[name] : undefined;
}

function checkText(text: unknown): CheckedDefinition {
  if (typeof text !== 'string' || text.trim() === '')
    return refuse([finding(rules.empty, 'the SQL is missing or empty')]);
  try {
    return { ok: true, tree: parseSelect(text) };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return refuse([finding(rules.parse, `the SQL cannot be parsed: ${error.message}`, error.position)]);
  }
}
