import { spend } from '../budget.ts';
import { SpanError, type Span } from '../query-error.ts';
import type { Expression, Field } from '../tree/expressions.ts';
import { warn } from '../warnings.ts';
import { lowerOperator } from './lower-operator.ts';
import type { FilterCondition, FilterGroup, FilterOperator, FilterSubject, QueryFilters } from './query-filters.ts';

/**
 * `{filters}` as an expression: a condition on the rows of one of the `tables` of FROM, true when nothing is given. `tables` are names in the
 * order of FROM, undefined for a sub-query. Every value becomes a literal, which the printer binds, and every key a name that is resolved
 * like one of the text. All nodes have the span. Pure, but for the budget.
 * @throws {SpanError} wrong_arguments: there is no table, or a condition that does not fit it; query_too_large
 */
export function lowerFilters(
  { from, to, minutes, conditions }: QueryFilters,
  tables: readonly (string | undefined)[],
  { start, end }: Span,
): Expression {
  const span = { start, end };
  if (from === undefined && to === undefined && conditions.members.length === 0)
    return { node: 'Constant', value: true, ...span };
  spend(sizeOf(conditions) * unitsPerValue, span);
  if (tables.length === 0)
    throw new SpanError(
      'wrong_arguments',
      '{filters} needs a table: write it into the WHERE of a SELECT that has a FROM',
      span,
    );
  if (minutes !== undefined) warnOfMinutes(minutes, span);
  const row = new Row(tables, span);
  const time =
    from === undefined && to === undefined
      ? []
      : [lowerOperator({ operator: 'in time', from, to }, row.field([row.timeColumn]), 'property')];
  return joined(true, [...time, ...(conditions.members.length > 0 ? [lowerGroup(conditions, row)] : [])], span);
}

function warnOfMinutes(given: string, span: Span): void {
  const [count = ''] = /\d+/.exec(given) ?? [];
  warn(
    'minutes',
    `${given.trim()} is ${count} ${count === '1' ? 'minute' : 'minutes'} ago: M counts minutes, m months. For months write -${count}m`,
    span,
  );
}

// Beside what resolving it costs. In all its places one query may have 13,000 values of lists and 2,500 texts that are looked for.
const unitsPerValue = 33;

function sizeOf(member: FilterCondition | FilterGroup): number {
  if ('members' in member) return member.members.reduce((sum, inner) => sum + sizeOf(inner), 1);
  if ('expression' in member) return 1 + member.units / unitsPerValue;
  if ('patterns' in member) return member.patterns.length;
  return 'values' in member.test ? Math.max(1, member.test.values.length) : 1;
}

const timeColumns: Readonly<Record<string, string>> = {
  sessions: '$start_timestamp',
  persons: 'created_at',
  groups: 'created_at',
  query_log: 'query_start_time',
  trace_reviews: 'created_at',
  trace_scores: 'created_at',
  score_definitions: 'created_at',
  error_tracking_issues: 'created_at',
  error_tracking_fingerprints: 'first_seen',
};

/** The table that filters hold for: the events among the tables, else the first of them. */
class Row {
  readonly span: Span;
  readonly from: number;
  private readonly table: string | undefined;

  constructor(tables: readonly (string | undefined)[], span: Span) {
    this.from = Math.max(0, tables.indexOf('events'));
    this.table = tables[this.from];
    this.span = span;
  }

  get timeColumn(): string {
    return timeColumns[this.table ?? ''] ?? 'timestamp';
  }

  field(chain: string[]): Field {
    return { node: 'Field', chain, from: this.from, ...this.span };
  }

  /** The path of a subject's property. */
  pathOf(subject: FilterSubject, key: string): string[] {
    const own = { persons: 'person', groups: 'group', sessions: 'session' }[this.table ?? ''];
    if (subject.of === 'column' && key === 'properties' && this.table !== undefined)
      throw new SpanError(
        'wrong_arguments',
        'A filter of type event_metadata is about a column of one value; for a property write the type event or person',
        this.span,
      );
    if (subject.of === 'column') return [key];
    if (own !== undefined) {
      if (subject.of !== own) throw this.unfit(subject.of);
      return own === 'session' ? [key] : ['properties', key];
    }
    if (subject.of === 'event') return ['properties', key];
    if (subject.of === 'session') return ['session', key];
    if (subject.of === 'element') return [`elements_chain_${key}s`];
    return [subject.of === 'group' ? `group_${subject.index}` : 'person', 'properties', key];
  }

  /** The text of the clicked elements. */
  elements(): Field {
    if (this.table !== undefined && this.table !== 'events') throw this.unfit('element');
    return this.field(['elements_chain']);
  }

  private unfit(type: string): SpanError {
    return new SpanError(
      'wrong_arguments',
      `A filter of type ${type} does not fit {filters} of the table ${this.table}`,
      this.span,
    );
  }
}

function lowerGroup({ all, members }: FilterGroup, row: Row): Expression {
  return joined(
    all,
    members.map((member) => ('members' in member ? lowerGroup(member, row) : lowerCondition(member, row))),
    row.span,
  );
}

function lowerCondition(condition: FilterCondition, row: Row): Expression {
  const { span } = row;
  if ('expression' in condition) {
    const { expression, text } = condition;
    return { node: 'RowCondition', expr: expression, from: row.from, text, ...span };
  }
  if ('patterns' in condition) {
    const sought = condition.patterns.map((value): Expression => ({ node: 'Constant', value, ...span }));
    const found: Expression = { node: 'TextSearch', search: 'matches', text: row.elements(), sought, ...span };
    return condition.negated ? { node: 'Not', expr: found, ...span } : found;
  }
  const { subject, key, test } = condition;
  const field = row.field(row.pathOf(subject, key));
  return subject.of === 'element' ? lowerListOperator(test, field) : lowerOperator(test, field, 'property');
}

const opposites = {
  'not in': 'in',
  'not contains': 'contains',
  'not matches': 'matches',
} as const;

/** A test that one of the items passes; of a negative one, that none passes its opposite. */
function lowerListOperator(test: FilterOperator, list: Field): Expression {
  const { start, end } = list;
  const span = { start, end };
  if (test.operator === 'set') return { node: 'Call', name: 'notEmpty', args: [list], ...span };
  if (test.operator === 'not set') return { node: 'Call', name: 'empty', args: [list], ...span };
  const item: Field = { node: 'Field', chain: ['item'], ...span };
  const any = (passed: FilterOperator): Expression => ({
    node: 'Call',
    name: 'arrayExists',
    args: [{ node: 'Lambda', args: ['item'], expr: lowerOperator(passed, item, 'text'), ...span }, list],
    ...span,
  });
  const none = (failed: FilterOperator): Expression => ({ node: 'Not', expr: any(failed), ...span });
  if (test.operator === 'version' && test.comparison === '!=') return none({ ...test, comparison: '==' });
  if (test.operator === 'not in' || test.operator === 'not contains' || test.operator === 'not matches')
    return none({ ...test, operator: opposites[test.operator] });
  return any(test);
}

function joined(all: boolean, exprs: Expression[], span: Span): Expression {
  if (exprs.length === 0) return { node: 'Constant', value: true, ...span };
  return { node: all ? 'And' : 'Or', exprs, ...span };
}
