import { spend } from '../budget.ts';
import { SpanError, type Span } from '../query-error.ts';
import type { Expression, Field } from '../tree/expressions.ts';
import { quoted, warn } from '../warnings.ts';
import type { FilterCondition, FilterGroup, FilterSubject, FilterTest, QueryFilters } from './query-filters.ts';

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
  const time = from === undefined && to === undefined ? [] : [inTime(row.field([row.timeColumn]), from, to)];
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
  return 'values' in member.test ? Math.max(1, member.test.values.length) : 1;
}

const timeColumns: Readonly<Record<string, string>> = {
  sessions: '$start_timestamp',
  persons: 'created_at',
  groups: 'created_at',
  query_log: 'query_start_time',
};

/** The table that filters hold for: the events among the tables, else the first of them. */
class Row {
  readonly span: Span;
  private readonly table: string | undefined;
  private readonly from: number;

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
    if (subject.of === 'column') return [key];
    if (own !== undefined) {
      if (subject.of !== own)
        throw new SpanError(
          'wrong_arguments',
          `A filter of type ${subject.of} does not fit {filters} of the table ${this.table}`,
          this.span,
        );
      return own === 'session' ? [key] : ['properties', key];
    }
    if (subject.of === 'event') return ['properties', key];
    if (subject.of === 'session') return ['session', key];
    return [subject.of === 'group' ? `group_${subject.index}` : 'person', 'properties', key];
  }
}

function lowerGroup({ all, members }: FilterGroup, row: Row): Expression {
  return joined(
    all,
    members.map((member) => ('members' in member ? lowerGroup(member, row) : lowerCondition(member, row))),
    row.span,
  );
}

function lowerCondition({ subject, key, test }: FilterCondition, row: Row): Expression {
  const text = subject.of === 'column' ? undefined : bounds(test).find((value) => !/\d/.test(String(value)));
  if (text !== undefined)
    warn(
      'text_order',
      `The filter of ${quoted(key)} compares with ${quoted(text)}, which is not a number: texts are compared letter by letter`,
      row.span,
    );
  return lowerTest(test, row.field(row.pathOf(subject, key)));
}

/** Values that a condition puts others in order with. */
function bounds(test: FilterTest): (string | number)[] {
  if (test.operator === 'between' || test.operator === 'not between') return [test.from, test.to];
  return 'value' in test ? [test.value] : [];
}

function joined(all: boolean, exprs: Expression[], span: Span): Expression {
  if (exprs.length === 0) return { node: 'Constant', value: true, ...span };
  return { node: all ? 'And' : 'Or', exprs, ...span };
}

function lowerTest(test: FilterTest, field: Field): Expression {
  const { start, end } = field;
  const literal = (value: string | number): Expression => ({ node: 'Constant', value, start, end });
  switch (test.operator) {
    case 'set':
    case 'not set':
      return {
        node: 'CompareOperation',
        op: test.operator === 'set' ? '!=' : '==',
        left: field,
        right: { node: 'Constant', value: null, start, end },
        start,
        end,
      };
    case 'in':
    case 'not in':
      return {
        node: 'CompareOperation',
        op: test.operator,
        left: field,
        right: { node: 'Tuple', exprs: test.values.map(literal), start, end },
        start,
        end,
      };
    case 'contains':
    case 'matches':
      return { node: 'TextSearch', search: test.operator, text: field, sought: test.values.map(literal), start, end };
    case 'not contains':
    case 'not matches':
      return {
        node: 'Not',
        expr: lowerTest(
          { operator: test.operator === 'not contains' ? 'contains' : 'matches', values: test.values },
          field,
        ),
        start,
        end,
      };
    case 'between':
    case 'not between':
      return {
        node: 'BetweenExpr',
        negated: test.operator === 'not between',
        expr: comparable(field, test.from),
        low: literal(test.from),
        high: literal(test.to),
        start,
        end,
      };
    case 'in time':
      return inTime(field, test.from, test.to);
    default:
      return {
        node: 'CompareOperation',
        op: test.operator,
        left: comparable(field, test.value),
        right: literal(test.value),
        start,
        end,
      };
  }
}

// Beside a number a property is one; beside a text it is compared as a text.
function comparable(field: Field, value: string | number): Expression {
  return typeof value === 'string'
    ? field
    : { node: 'ReadAs', type: 'number', expr: field, start: field.start, end: field.end };
}

function inTime(field: Field, from: string | undefined, to: string | undefined): Expression {
  const { start, end } = field;
  const asTime = (expr: Expression): Expression => ({ node: 'ReadAs', type: 'time', expr, start, end });
  const at = (text: string): Expression => asTime({ node: 'Constant', value: `${text}Z`, start, end });
  if (from !== undefined && to !== undefined)
    return { node: 'BetweenExpr', negated: false, expr: asTime(field), low: at(from), high: at(to), start, end };
  const bounds = [
    from === undefined ? [] : [['>=', from] as const],
    to === undefined ? [] : [['<=', to] as const],
  ].flat();
  return joined(
    true,
    bounds.map(([op, text]) => ({ node: 'CompareOperation', op, left: asTime(field), right: at(text), start, end })),
    { start, end },
  );
}
