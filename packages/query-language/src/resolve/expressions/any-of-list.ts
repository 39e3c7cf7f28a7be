import { SpanError } from '../../query-error.ts';
import type { CompareOperation } from '../../tree/expressions.ts';
import type { Scope } from '../names/scope.ts';

/**
 * Refuses `x = ANY(list)` and `x <> ALL(list)` of Postgres, where `any` can be no aggregate or its argument is a list.
 * Throws `SpanError`.
 */
export function refuseAnyOfList({ op, left, right, start, end }: CompareOperation, scope: Scope): void {
  if (right.node !== 'Call' || right.args.length !== 1 || (op !== '==' && op !== '!=')) return;
  const word = right.name.toLowerCase();
  if (op === '==' ? word !== 'any' && word !== 'some' : word !== 'all') return;
  const [list] = right.args;
  if (!list) return;
  if (word === 'any' && scope.aggregatesAllowed && list.node !== 'Array') return;
  const saying = (written: string): string => {
    const [value, items] = [left, list].map((part) => written.slice(part.start - start, part.end - start));
    return `${op === '!=' ? 'NOT ' : ''}has(${items}, ${value})`;
  };
  const fallback = 'has(list, value)';
  throw new SpanError(
    'not_supported',
    `${word.toUpperCase()} of a list is not supported here`,
    { start, end },
    { saying, fallback },
  );
}
