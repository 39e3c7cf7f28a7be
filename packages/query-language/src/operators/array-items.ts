import { costOf, spend } from '../budget.ts';
import type { Span } from '../query-error.ts';
import { call, constant, type Resolved } from '../resolved.ts';
import { plain, type ValueType } from '../types.ts';

const itemName = '__x';

/** An item of an array, as a function that we print over its items calls it. */
export function itemOf(type: ValueType, span: Span): Resolved {
  return argumentOf(itemName, type, span);
}

/** An argument of a function that we print, as its body calls it. */
export function argumentOf(name: string, type: ValueType, { start, end }: Span): Resolved {
  return { kind: 'name', name, type, aggregate: false, local: true, start, end };
}

/** The function that makes `body` of such an item. */
export function lambdaOf(item: Resolved, body: Resolved): Resolved {
  return { ...item, kind: 'lambda', args: [itemName], body, type: plain('lambda') };
}

/** The result of `body`, in which values have these names: each value prints once, however often its name does. */
export function named<Name extends string>(
  values: Readonly<Record<Name, Resolved>>,
  body: (names: Readonly<Record<Name, Resolved>>) => Resolved,
  span: Span,
): Resolved {
  const entries = Object.entries<Resolved>(values);
  spend(entries.length * costOf.name, span);
  const names = Object.fromEntries(
    entries.map(([name, value]) => [name, argumentOf(name, value.type, span)]),
  ) as Record<Name, Resolved>;
  const result = body(names);
  const made: Resolved = {
    kind: 'lambda',
    args: entries.map(([name]) => name),
    body: result,
    type: plain('lambda'),
    aggregate: false,
    local: true,
    start: span.start,
    end: span.end,
  };
  const lists = entries.map(([, value]) =>
    call('array', [value], { kind: 'array', nullable: false, item: value.type }, span),
  );
  return call(
    'arrayElement',
    [
      call('arrayMap', [made, ...lists], { kind: 'array', nullable: false, item: result.type }, span),
      constant(1, plain('integer'), span),
    ],
    result.type,
    span,
  );
}

/** The result of `body`, which uses a value several times: a short one prints each time, any other once, under this name. */
export function once(value: Resolved, body: (value: Resolved) => Resolved, name: string, span: Span): Resolved {
  return isShort(value) ? body(value) : named({ [name]: value }, (names) => body(names[name] ?? value), span);
}

/** Does printing it twice cost nothing? The engine computes equal expressions once, but calls around calls would double each time. */
export function isShort(expr: Resolved): boolean {
  if (expr.kind === 'json') return isShort(expr.base);
  return expr.kind === 'column' || expr.kind === 'name' || expr.kind === 'constant';
}
