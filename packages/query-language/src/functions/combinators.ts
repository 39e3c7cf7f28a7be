import { nullable, plain, type ValueType } from '../types.ts';

// Suffixes of an aggregate's name that change its arguments or its result: sumIf, uniqState, avgOrNull.

const names = [
  'If',
  'Distinct',
  'Array',
  'Map',
  'State',
  'Merge',
  'OrNull',
  'OrDefault',
  'ForEach',
  'ArgMin',
  'ArgMax',
] as const;

/** A combinator in ClickHouse's own spelling. */
export type Combinator = (typeof names)[number];

/** Most combinators after one name. */
export const combinatorsMax = 3;

const byLowerCase = new Map<string, Combinator>(names.map((name) => [name.toLowerCase(), name]));
const last = new RegExp(`^(\\w+?)(${names.join('|')})$`, 'i');

/** Cuts the last combinator off a name, in any case. */
export function cutCombinator(written: string): { rest: string; combinator: Combinator } | undefined {
  const [, rest = '', suffix = ''] = last.exec(written) ?? [];
  const combinator = byLowerCase.get(suffix.toLowerCase());
  return combinator && { rest, combinator };
}

/** Do the arguments differ from those of the plain function: arrays or maps of them, or one state? */
export function takesOther(combinators: readonly Combinator[]): boolean {
  return combinators.some(
    (combinator) =>
      combinator === 'Array' || combinator === 'Map' || combinator === 'ForEach' || combinator === 'Merge',
  );
}

/** The type of the result, from that of the plain function; `state` is the type that -Merge finishes. */
export function combinedType(
  combinators: readonly Combinator[],
  base: ValueType,
  state: ValueType | undefined,
): ValueType {
  let type = base;
  for (const combinator of combinators) {
    if (combinator === 'State') type = { kind: 'state', nullable: false, item: type };
    else if (combinator === 'Merge') type = state?.item ?? plain('unknown', true);
    else if (combinator === 'OrNull') type = nullable(type);
    else if (combinator === 'OrDefault') type = { ...type, nullable: false };
    else if (combinator === 'Map') type = { kind: 'map', nullable: false, item: nullable(type) };
    else if (combinator === 'ForEach') type = { kind: 'array', nullable: false, item: type };
  }
  return type;
}
