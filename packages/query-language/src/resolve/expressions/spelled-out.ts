import { rewritten } from '../../functions/find-function.ts';
import { intervalFunctions } from '../../parse/words.ts';
import { SpanError } from '../../query-error.ts';
import type { Call, Expression } from '../../tree/expressions.ts';
import { isKnownName } from '../names/resolve-field.ts';
import type { Scope } from '../names/scope.ts';

/** The arguments of a call whose words stand for others: `dateDiff(day, a, b)` for 'day', and `position('a' IN b)` for `position(b, 'a')`. Throws for a unit that is last, as in BigQuery. */
export function spelledOut(node: Call, scope: Scope): readonly Expression[] {
  const { name, args } = node;
  const [first, ...rest] = args;
  checkUnit(node, scope);
  if (first?.node === 'CompareOperation' && first.op === 'in' && rest.length === 0 && name.toLowerCase() === 'position')
    return [first.right, first.left];
  if (first?.node !== 'Field' || first.chain.length !== 1 || !takesUnit(name, args.length)) return args;
  const [word = ''] = first.chain;
  const unit = word.toLowerCase();
  if (!Object.hasOwn(intervalFunctions, unit) || standsForText(word, scope)) return args;
  return [{ node: 'Constant', value: unit, start: first.start, end: first.end }, ...rest];
}

const shifting = /^(?:date|timestamp)_?(?:add|sub(?:tract)?)$/i;
const unitFirst = /^(?:date|timestamp)_?(?:diff|trunc)$|^date_?part$|^age$/i;

const unitLast: Readonly<Record<string, string>> = {
  datetrunc: "dateTrunc('$2', $1)",
  datediff: "dateDiff('$3', $2, $1)",
  timestampdiff: "dateDiff('$3', $2, $1)",
};

// `DATE_TRUNC(timestamp, MONTH)`, and `DATE_DIFF(last, first, DAY)`.
function checkUnit(node: Call, scope: Scope): void {
  const { name, args } = node;
  const last = args[args.length - 1];
  if (last?.node !== 'Field' || last.chain.length !== 1 || last.quoted || !unitFirst.test(name)) return;
  const [word = ''] = last.chain;
  const call = unitLast[name.toLowerCase().replace('_', '')];
  if (call === undefined || args.length !== (call.includes('$3') ? 3 : 2)) return;
  if (!Object.hasOwn(intervalFunctions, word.toLowerCase()) || isKnownName(word, scope, last)) return;
  throw new SpanError('wrong_arguments', `${name}() takes the unit first, in quotes`, node, rewritten(call, node));
}

// With two arguments the first of dateAdd and dateSub is the time, and a column may well be named "day".
function takesUnit(name: string, count: number): boolean {
  return unitFirst.test(name) || (count === 3 && shifting.test(name));
}

// Nothing but a text can be a unit: a column that is named like one is none, `WITH 'week' AS day` is.
function standsForText(name: string, scope: Scope): boolean {
  const alias = scope.aliases.get(name)?.node.expr;
  return alias ? alias.node === 'Constant' || alias.node === 'Placeholder' : isConstant(name, scope);
}

function isConstant(name: string, { scalars, parent }: Scope): boolean {
  const scalar = scalars.get(name);
  return scalar ? scalar.kind === 'constant' : parent !== undefined && isConstant(name, parent);
}
