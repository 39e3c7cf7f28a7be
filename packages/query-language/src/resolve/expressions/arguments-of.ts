import type { Resolved } from '../../resolved.ts';
import type { Expression, Lambda } from '../../tree/expressions.ts';
import { isLearned, plain, propertyItem, type ValueType } from '../../types.ts';
import { unknownItem, type Scope } from '../names/scope.ts';

/** The arguments of a call. Lambdas come after the arrays that say what their arguments are. */
export function argumentsOf(
  args: readonly Expression[],
  scope: Scope,
  inner: (part: Expression) => Resolved,
): Resolved[] {
  const values = args.map((arg) => (arg.node === 'Lambda' ? undefined : inner(arg)));
  return args.map((arg, index) =>
    arg.node === 'Lambda' ? lambdaOf(arg, itemsOf(values), scope, inner) : (values[index] as Resolved),
  );
}

function itemsOf(values: readonly (Resolved | undefined)[]): ValueType[] {
  return values
    .filter((value) => value !== undefined)
    .flatMap((value) =>
      value.type.kind === 'map'
        ? [plain('text'), value.type.item ?? unknownItem]
        : [value.type.property || isLearned(value.type) ? propertyItem : (value.type.item ?? unknownItem)],
    );
}

function lambdaOf(
  lambda: Lambda,
  items: readonly ValueType[],
  scope: Scope,
  inner: (part: Expression) => Resolved,
): Resolved {
  const names = lambda.args.map(() => scope.resolution.freshName('x'));
  scope.lambdas.push(
    new Map(lambda.args.map((arg, index) => [arg, { name: names[index] ?? '', type: items[index] ?? unknownItem }])),
  );
  const body = inner(lambda.expr);
  scope.lambdas.pop();
  return {
    kind: 'lambda',
    args: names,
    body,
    type: plain('lambda'),
    aggregate: body.aggregate,
    local: body.local,
    start: lambda.start,
    end: lambda.end,
  };
}
