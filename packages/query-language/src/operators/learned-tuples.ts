import { isShort } from './array-items.ts';
import { isOfLearned } from './learned-lists.ts';
import { originOf } from './learned-types.ts';
import { call, constant, type Resolved } from '../resolved.ts';
import { plain } from '../types.ts';

type Align = (exprs: readonly Resolved[]) => Resolved[];

/**
 * Brings the members of two tuples to one type by `align`, where some of them are properties with a type: what they are compared with
 * decides, as it does outside of a tuple. Other values stay as they are. The left one is nullable where one of its members is not known to
 * be there. Throws what `align` throws.
 */
export function alignTuples(sides: readonly Resolved[], align: Align): Resolved[] {
  const [left, right] = sides;
  const [ones, others] = [left && membersOf(left), right && membersOf(right)];
  if (!left || !right || !ones || !others || ones.length !== others.length || sides.length !== 2) return [...sides];
  if (![...ones, ...others].some(({ type }) => isOfLearned(type) || (type.property && type.learned))) return [...sides];
  const pairs = ones.map((one, at) => align([one, others[at] as Resolved]) as [Resolved, Resolved]);
  const isNullable = pairs.flat().some(({ type }) => type.nullable);
  return [
    tupleOf(
      pairs.map(([one]) => one),
      isNullable,
      left,
    ),
    tupleOf(
      pairs.map(([, other]) => other),
      false,
      right,
    ),
  ];
}

/** A tuple whose members are the properties again that were read by a learned type where it was made. */
export function withProperties(side: Resolved): Resolved {
  if (side.kind !== 'call' || side.name !== 'tuple') return side;
  const members = side.args.map((arg) => originOf(arg) ?? arg);
  return members.every((member, at) => member === side.args[at]) ? side : tupleOf(members, false, side);
}

function membersOf(side: Resolved): readonly Resolved[] | undefined {
  if (side.kind === 'call' && side.name === 'tuple') return side.args;
  if (side.type.kind !== 'tuple' || !isShort(side)) return undefined;
  return side.type.items?.map((type, at) =>
    call('tupleElement', [side, constant(at + 1, plain('integer'), side)], type, side),
  );
}

function tupleOf(members: readonly Resolved[], nullable: boolean, side: Resolved): Resolved {
  return call('tuple', members, { kind: 'tuple', nullable, items: members.map(({ type }) => type) }, side);
}
