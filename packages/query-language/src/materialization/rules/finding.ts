import type { Span } from '../../query-error.ts';
import type { Refusal } from '../plan.ts';
import type { AnyRule } from './rules.ts';

/** A rule that refuses the query, in words about this query. */
export interface Finding {
  readonly rule: AnyRule;
  /** One sentence without a full stop. */
  readonly reason: string;
  readonly span?: Span;
}

/** A finding at a node. */
export function finding(rule: AnyRule, reason: string, span?: Span): Finding {
  return { rule, reason, ...(span && { span: { start: span.start, end: span.end } }) };
}

/** The refusal that is reported: that of the first rule of the list, and of its findings the first in the text (contract/decisions 4). */
export function firstRefusal(findings: readonly Finding[]): Refusal | undefined {
  const [first] = [...findings].sort(
    (a, b) => a.rule.number - b.rule.number || (a.span?.start ?? 0) - (b.span?.start ?? 0),
  );
  return first && refusalOf(first);
}

/** A finding as a refusal. Of variables the reason begins with that: `variables_not_supported` is no code (contract/decisions 4). */
export function refusalOf({ rule, reason, span }: Finding): Refusal {
  const isOfVariables = rule.enforced === 'query';
  return {
    code: rule.code,
    reason: isOfVariables ? `The variables of this query are not supported: ${reason}` : reason,
    ...(span && { position: span }),
  };
}
