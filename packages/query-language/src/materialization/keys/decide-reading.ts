import type { SelectQuery } from '../../tree/statements.ts';
import { findingPart, type Finding } from '../rules/finding.ts';
import { rules } from '../rules/rules.ts';
import type { Grouping } from '../selects/select-shape.ts';
import type { DraftKey } from './draft-keys.ts';
import type { Reading } from './finish-keys.ts';

/** Steps of the queries between the variables and the result. */
export interface Chain {
  /** Grouping of the outer query. */
  readonly grouping: Grouping;
  /** A CTE groups, or joins two tables that carry the variables: only rows of one stored value belong together. */
  readonly isInnerStrict: boolean;
  /** A CTE returns a row where nothing matches. */
  readonly isInnerGlobal: boolean;
  readonly grouped: SelectQuery | undefined;
  readonly joined: SelectQuery | undefined;
}

/** How the table is read. */
interface Decided {
  readonly reading: Reading;
  readonly emptyMeansInline: boolean;
}

/** Decides how the table is read (contract/endpoints 6.5; rules 19, 25 and 36). `regrouped`: can stored groups be put together? */
export function decideReading(
  drafts: readonly DraftKey[],
  chain: Chain,
  regrouped: object | Finding | undefined,
): Decided | Finding {
  const emptyMeansInline = chain.grouping === 'global' || chain.isInnerGlobal;
  if (chain.grouping === 'none' && !chain.isInnerStrict) return { reading: 'rows', emptyMeansInline: false };
  const many = drafts.find(({ isMany }) => isMany);
  if (chain.isInnerStrict) return many ? strictly(many, chain) : { reading: 'pinned', emptyMeansInline };
  const isWanted =
    chain.grouping === 'global' || drafts.some((draft) => draft.isMany || draft.isOptional || !isExpected(draft));
  if (!isWanted) return { reading: 'pinned', emptyMeansInline };
  if (regrouped && !('rule' in regrouped)) return { reading: 'regrouped', emptyMeansInline: false };
  if (!many) return { reading: 'pinned', emptyMeansInline };
  return regrouped && 'rule' in regrouped
    ? { ...regrouped, reason: `{variables.${many.variable}} may match several stored rows, and ${regrouped.reason}` }
    : strictly(many, chain);
}

// Are the values that are to be expected those that pin one group?
function isExpected({ pinnedBy, expected }: DraftKey): boolean {
  return pinnedBy === undefined || (expected !== undefined && pinnedBy.includes(expected));
}

function strictly({ variable }: DraftKey, { grouped, joined }: Chain): Finding {
  const several = `{variables.${variable}} may match several stored rows, and`;
  return grouped
    ? findingPart(rules.aggregate, 'cte', `${several} a CTE groups rows before the outer query sees them`, grouped)
    : findingPart(rules.join, 'several', `${several} a CTE joins two tables that carry it`, joined);
}
