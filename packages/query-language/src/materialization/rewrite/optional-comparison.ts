import { placeholderChain } from '../../placeholders/placeholders.ts';
import { isBare, isSameTree } from '../../tree/tree-nodes.ts';
import type { Expression, Placeholder } from '../../tree/expressions.ts';
import { asOperator, hasVariable, joined, variableNames } from '../selects/tree-conditions.ts';
import { inConditions } from './conditions.ts';
import type { RewriteFacts, RewriteRule } from './rewrite-rule.ts';

/** A comparison that no value switches off, in the form that materialization knows (contract/endpoints 6.3). */
export const optionalComparison: RewriteRule = {
  name: 'optional-comparison',
  explanation:
    "A comparison that does not count where the variable is empty was written as coalesce({variables.<code_name>}, '') = '' OR …",
  rewrite: (query, { types }) => inConditions(query, (conjunct) => withOption(conjunct, types)),
};

/** Values of the variable of which a test is true: of no others, and of these always, unless another test is true of them. */
interface Test {
  variable: Placeholder;
  ofNull: boolean;
  ofEmpty: boolean;
}

function withOption(conjunct: Expression, types: RewriteFacts['types']): Expression {
  const parts = alternativesOf(conjunct);
  const tests = parts.map(testOf);
  const [first] = tests.filter((test) => test !== undefined);
  const [comparison, ...others] = parts.filter((_, at) => tests[at] === undefined);
  if (!first || !comparison || others.length > 0) return conjunct;
  const names = [...new Set(parts.flatMap(variableNames))];
  const type = types.get(names[0] ?? '');
  if (names.length > 1 || !hasVariable(comparison) || type === undefined || type === 'List' || type === 'Any')
    return conjunct;
  // Any variable can be null. Empty texts are refused for numbers, booleans and dates.
  const ofNull = tests.some((test) => test?.ofNull);
  const ofEmpty = type !== 'String' || tests.some((test) => test?.ofEmpty);
  if (!ofNull || !ofEmpty) return conjunct;
  const option = joined('Or', [isMissing(first.variable), comparison], conjunct);
  return isSameTree(option, conjunct) ? conjunct : option;
}

function alternativesOf(condition: Expression): Expression[] {
  const operator = asOperator(condition);
  return operator.node === 'Or' ? operator.exprs.flatMap(alternativesOf) : [condition];
}

function isMissing(variable: Placeholder): Expression {
  const { start, end } = variable;
  const empty: Expression = { node: 'Constant', value: '', start, end };
  const left: Expression = { node: 'Call', name: 'coalesce', args: [variable, empty], start, end };
  return { node: 'CompareOperation', left, op: '==', right: empty, start, end };
}

function testOf(condition: Expression): Test | undefined {
  const expr = asOperator(condition);
  const empty = argumentOf(expr, 'empty');
  if (empty) return testOfValue(empty, true);
  const missing = argumentOf(expr, 'isnull');
  if (missing) return testOfValue(missing, false);
  if (expr.node !== 'CompareOperation' || expr.op !== '==') return undefined;
  const [value, constant] = expr.left.node === 'Constant' ? [expr.right, expr.left] : [expr.left, expr.right];
  if (constant.node !== 'Constant') return undefined;
  const length = argumentOf(value, 'length');
  if (length) return constant.value === 0 ? testOfValue(length, true) : undefined;
  if (constant.value === '') return testOfValue(value, true);
  return constant.value === null ? testOfValue(value, false) : undefined;
}

// `value` is tested for being empty, or for being NULL.
function testOfValue(value: Expression, forEmpty: boolean): Test | undefined {
  if (value.node === 'Placeholder')
    return isVariable(value) ? { variable: value, ofNull: !forEmpty, ofEmpty: forEmpty } : undefined;
  const filled = forEmpty
    ? (withEmptyText(value, 'coalesce') ?? withEmptyText(value, 'ifNull'))
    : withEmptyText(value, 'nullIf');
  return filled && { variable: filled, ofNull: true, ofEmpty: true };
}

// `coalesce({variables.x}, '')`
function withEmptyText(expr: Expression, name: string): Placeholder | undefined {
  if (expr.node !== 'Call' || expr.name.toLowerCase() !== name.toLowerCase() || !isBare(expr)) return undefined;
  const [variable, text, ...rest] = expr.args;
  const isFilled = text?.node === 'Constant' && text.value === '' && rest.length === 0;
  return isFilled && variable?.node === 'Placeholder' && isVariable(variable) ? variable : undefined;
}

function argumentOf(expr: Expression, name: string): Expression | undefined {
  const isCall = expr.node === 'Call' && expr.name.toLowerCase() === name && expr.args.length === 1 && isBare(expr);
  return isCall ? expr.args[0] : undefined;
}

const isVariable = (placeholder: Placeholder): boolean => placeholderChain(placeholder)[0] === 'variables';
