import { isIllegalDistinctId } from '@millrace/contracts/illegal-distinct-ids.ts';
import type { MergeRequest } from '../events/person-update.ts';

/** State of one of the two ids: its person, and whether that person is identified. Null: it has none. */
export type MergeSide = { person: string; isIdentified: boolean } | null;

type SideName = 'own' | 'other';

/** Decision about a merge. */
export type MergeDecision =
  /** No merge, and the person does not become identified. */
  | { action: 'nothing' }
  | { action: 'refuse-illegal'; illegal: SideName }
  /** No merge, because `source`, which would be merged away, is identified already. */
  | { action: 'refuse-identified'; source: SideName }
  /** One person with both ids. */
  | { action: 'create' }
  /** `missing` goes to the person of the other id. */
  | { action: 'add'; missing: SideName }
  | { action: 'identify' }
  /** The person of `source` goes into that of the other id. */
  | { action: 'merge'; source: SideName };

/** The rules of contract/capture 4.4, in order. Pure: the same states always give the same decision. */
export function decideMerge(
  { kind, own, other }: MergeRequest,
  ownSide: MergeSide,
  otherSide: MergeSide,
): MergeDecision {
  if (isIllegalDistinctId(own)) return { action: 'refuse-illegal', illegal: 'own' };
  if (isIllegalDistinctId(other)) return { action: 'refuse-illegal', illegal: 'other' };
  if (own === other) return { action: 'nothing' };
  if (ownSide === null) return otherSide === null ? { action: 'create' } : { action: 'add', missing: 'own' };
  if (otherSide === null) return { action: 'add', missing: 'other' };
  if (ownSide.person === otherSide.person) return { action: 'identify' };
  const source = kind === 'alias' ? sourceOfAlias(ownSide, otherSide) : 'other';
  const swallowed = source === 'own' ? ownSide : otherSide;
  if (swallowed.isIdentified && kind !== 'dangerously') return { action: 'refuse-identified', source };
  return { action: 'merge', source };
}

/** The symmetric table: the alias's person survives, unless only the other one is identified. */
function sourceOfAlias(ownSide: NonNullable<MergeSide>, otherSide: NonNullable<MergeSide>): SideName {
  return ownSide.isIdentified && !otherSide.isIdentified ? 'other' : 'own';
}
