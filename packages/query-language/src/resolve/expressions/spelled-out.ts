import type { Scope } from '../names/scope.ts';
import type { Call, Expression } from '../../tree/expressions.ts';
import { intervalFunctions } from '../../parse/words.ts';

/** The arguments of a call whose words stand for others: `dateDiff(day, a, b)` for 'day', and `position('a' IN b)` for `position(b, 'a')`. */
export function spelledOut({ name, args }: Call, scope: Scope): readonly Expression[] {
  const [first, ...rest] = args;
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
