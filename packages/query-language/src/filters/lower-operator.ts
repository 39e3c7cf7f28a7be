import type { Span } from '../query-error.ts';
import type { CompareOperator, Expression } from '../tree/expressions.ts';
import type { FilterOperator } from './query-filters.ts';

/** Kind of a value: a property is read as what it is compared with, or a column has its type; a text is a text. */
type Kind = 'property' | 'text';

/** Does the value pass the test? Every literal becomes a constant. All nodes have the place of the value. Pure. */
export function lowerOperator(test: FilterOperator, value: Expression, kind: Kind): Expression {
  const { start, end } = value;
  const span = { start, end };
  switch (test.operator) {
    case 'set':
    case 'not set':
      return compare(test.operator === 'set' ? '!=' : '==', value, literal(null, span));
    case 'in':
    case 'not in': {
      const values: Expression = { node: 'Tuple', exprs: test.values.map((member) => literal(member, span)), ...span };
      return compare(test.operator, value, values);
    }
    case 'contains':
    case 'matches':
      return search(test.operator, test.values, value);
    case 'not contains':
      return { node: 'Not', expr: search('contains', test.values, value), ...span };
    case 'not matches':
      return { node: 'Not', expr: search('matches', test.values, value), ...span };
    case 'between':
      return betweenOf(test.from, test.to, value, kind);
    case 'not between': {
      // No value is outside of no bounds.
      const outside = [bounded('<', value, test.from, kind), bounded('>', value, test.to, kind)];
      return { node: 'Or', exprs: outside, ...span };
    }
    case 'in time':
      return inTime(value, test.from, test.to);
    case 'version':
      return compare(test.comparison, versionOf(value), literal(test.value, span));
    case 'version in': {
      const [from, before] = [literal(test.from, span), literal(test.before, span)];
      return {
        node: 'And',
        exprs: [compare('>=', versionOf(value), from), compare('<', versionOf(value), before)],
        ...span,
      };
    }
    default:
      return bounded(test.operator, value, test.value, kind);
  }
}

function literal(value: string | number | null, { start, end }: Span): Expression {
  return { node: 'Constant', value, start, end };
}

function compare(op: CompareOperator, left: Expression, right: Expression): Expression {
  return { node: 'CompareOperation', op, left, right, start: left.start, end: left.end };
}

function search(kind: 'contains' | 'matches', values: readonly string[], text: Expression): Expression {
  const { start, end } = text;
  return { node: 'TextSearch', search: kind, text, sought: values.map((value) => literal(value, text)), start, end };
}

function bounded(op: '>' | '>=' | '<' | '<=', value: Expression, bound: string | number, kind: Kind): Expression {
  return compare(op, comparable(value, bound, kind), literal(bound, value));
}

function betweenOf(from: string | number, to: string | number, value: Expression, kind: Kind): Expression {
  const [low, high] = [literal(from, value), literal(to, value)];
  const { start, end } = value;
  return { node: 'BetweenExpr', negated: false, expr: comparable(value, from, kind), low, high, start, end };
}

// Beside a number a property is one; beside a text it is compared as a text.
function comparable(value: Expression, bound: string | number, kind: Kind): Expression {
  const { start, end } = value;
  if (typeof bound === 'string') return value;
  return kind === 'text'
    ? { node: 'Call', name: 'toFloat', args: [value], start, end }
    : { node: 'ReadAs', type: 'number', expr: value, start, end };
}

const versionOf = (expr: Expression): Expression => ({
  node: 'ReadAs',
  type: 'version',
  expr,
  start: expr.start,
  end: expr.end,
});

function inTime(value: Expression, from: string | undefined, to: string | undefined): Expression {
  const { start, end } = value;
  const asTime = (expr: Expression): Expression => ({ node: 'ReadAs', type: 'time', expr, start, end });
  const at = (text: string): Expression => asTime(literal(`${text}Z`, value));
  if (from !== undefined && to !== undefined)
    return { node: 'BetweenExpr', negated: false, expr: asTime(value), low: at(from), high: at(to), start, end };
  const bounds = [
    ...(from === undefined ? [] : [compare('>=', asTime(value), at(from))]),
    ...(to === undefined ? [] : [compare('<=', asTime(value), at(to))]),
  ];
  return { node: 'And', exprs: bounds, start, end };
}
