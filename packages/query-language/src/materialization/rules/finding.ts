import type { Span } from '../../query-error.ts';
import type { Refusal, Refused } from '../plan.ts';
import type { AnyRule, ListedRule } from './rules.ts';

/** A rule that refuses the query, in words about this query. */
export interface Finding {
  readonly rule: AnyRule;
  /** One sentence without a full stop. */
  readonly reason: string;
  readonly span?: Span;
}

/** A finding at a node. */
export function finding(rule: Exclude<AnyRule, ListedRule>, reason: string, span?: Span): Finding {
  return findingOf(rule, reason, span);
}

/** A finding at a node, of a rule about several things; `part` is the one that is found. */
export function findingPart<R extends ListedRule>(
  rule: R,
  _part: keyof R['parts'],
  reason: string,
  span?: Span,
): Finding {
  return findingOf(rule, reason, span);
}

function findingOf(rule: AnyRule, reason: string, span?: Span): Finding {
  return { rule, reason, ...(span && { span: { start: span.start, end: span.end } }) };
}

/** Refuses a query: the first rule of the list is reported, and of its findings the first in the text (contract/decisions 4). */
export function refuse(findings: readonly [Finding, ...Finding[]]): Refused {
  const { rule, reason, span } = findings.reduce((first, each) => (isBefore(each, first) ? each : first));
  const refusal: Refusal = {
    code: rule.code,
    // The text of `variables_not_supported`, which is no code (contract/decisions 4).
    reason: rule.enforced === 'query' ? `The variables of this query are not supported: ${reason}` : reason,
    ...(span && { position: span }),
  };
  return { ok: false, refusal };
}

function isBefore(one: Finding, other: Finding): boolean {
  if (one.rule.number !== other.rule.number) return one.rule.number < other.rule.number;
  return (one.span?.start ?? 0) < (other.span?.start ?? 0);
}
