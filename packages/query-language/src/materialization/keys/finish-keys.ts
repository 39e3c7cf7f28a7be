import type { Expression } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import type { PlannedKey } from '../plan.ts';
import { isTimeWrapped } from '../variables/lifted.ts';
import { bucketFunctions } from './buckets.ts';
import { groupKeys, isStar, meantBy, outputName } from '../selects/select-shape.ts';
import { treeKey } from '../selects/tree-key.ts';
import { nodesOf } from '../selects/walk.ts';
import { hasColumn } from '../transform/add-keys.ts';
import { callOf } from '../transform/make-nodes.ts';
import type { DraftKey } from './draft-keys.ts';
import { isAlias, type FreshNames } from '../selects/fresh-names.ts';

/** How stored rows answer: each by itself, one group for all values, or groups that are put together. */
export type Reading = 'rows' | 'pinned' | 'regrouped';

/** Where keys are made. */
interface KeyPlace {
  readonly query: SelectQuery;
  /** Groups of rows are stored, so that fewer values are fewer rows. */
  readonly isGrouped: boolean;
  /** The columns have other names outside. */
  readonly isRenamed: boolean;
  /** Names that mean something else where the keys pass. */
  readonly taken: ReadonlySet<string>;
  readonly names: FreshNames;
}

/** Decides what is stored of each key, and under which name. */
export function finishKeys(drafts: readonly DraftKey[], reading: Reading, place: KeyPlace): PlannedKey[] {
  const grouped = new Set(groupKeys(place.query).map(treeKey));
  const used = usedNames(place.query);
  return drafts.map((draft): PlannedKey => {
    const bucketFn = bucketOf(draft, place.isGrouped);
    const meant = meantBy(draft.subject, place.query);
    const isGroupKey = draft.isProperty && grouped.has(treeKey(meant));
    const expression = storedOf(draft, reading, bucketFn, isGroupKey);
    const isPinned = reading === 'pinned';
    return {
      variable: draft.variable,
      column: columnName(draft, expression, place, used),
      path: draft.path,
      expression,
      operators: [...new Set(draft.lifted.map(({ op }) => op))],
      bucketFn: bucketFn ?? null,
      separator: draft.lifted.find(({ separator }) => separator !== undefined)?.separator ?? null,
      wrapper: draft.lifted.map(({ value }) => value).find(({ node }) => node !== 'Placeholder') ?? null,
      isOptional: draft.isOptional,
      isPinned,
      isGroupKey,
      isExactAtStart: draft.lifted.every(
        (each) => (each.op === '>=' || each.op === '<') && (each.value.node === 'Placeholder' || isTimeWrapped(each)),
      ),
      exactFor: isPinned ? draft.pinnedBy : undefined,
    };
  });
}

// Rows that are stored one by one are as many whatever they are cut to, and are exact uncut.
function bucketOf(draft: DraftKey, isGrouped: boolean): string | undefined {
  if (!draft.isRange) return undefined;
  if (draft.override !== undefined) return draft.override;
  const isCut = isGrouped && !draft.isProperty && draft.path !== undefined && draft.subject.node === 'Field';
  return isCut && draft.isOfTimes ? bucketFunctions.day : undefined;
}

// A property is stored as its text, which is what every comparison begins with. A project that knows its type would store that value
// of it. Where the query groups by it, that value is the key, and `servesValue` says what can be asked of it.
function storedOf(
  { subject, isProperty, type, pinnedAs }: DraftKey,
  reading: Reading,
  bucketFn: string | undefined,
  isGroupKey: boolean,
): Expression {
  const { start, end } = subject;
  if (bucketFn !== undefined) return callOf(bucketFn, { node: 'ReadAs', type: 'bounded', expr: subject, start, end });
  const as = reading === 'pinned' ? pinnedAs : 'stored';
  if (!isProperty || (as === 'stored' && (type?.asText || isGroupKey))) return subject;
  return {
    node: 'ReadAs',
    type: as,
    expr: subject,
    start,
    end,
  };
}

function columnName(
  { variable, subject }: DraftKey,
  expression: Expression,
  { query, names, taken, isRenamed }: KeyPlace,
  used: ReadonlyMap<string, number>,
): string {
  if (query.select.some(isStar) || !isAlias(variable) || taken.has(variable)) return names.make(`variable_${variable}`);
  if (query.select.some((item) => outputName(item) === variable))
    return !isRenamed && hasColumn(query, variable, expression) ? variable : names.make(`variable_${variable}`);
  const isItself = expression.node === 'Field' && expression.chain.length === 1 && expression.chain[0] === variable;
  if (!isItself && usesElsewhere(used, variable, subject)) return names.make(`variable_${variable}`);
  return variable;
}

// Behind the SELECT list a column's name is the alias.
function usesElsewhere(used: ReadonlyMap<string, number>, name: string, subject: Expression): boolean {
  const isPath = subject.node === 'Field' && subject.chain.length > 1 && subject.chain[0] === name;
  return (used.get(name) ?? 0) > (isPath ? 1 : 0);
}

/** How often a path of names begins with each name. */
function usedNames(query: SelectQuery): ReadonlyMap<string, number> {
  const used = new Map<string, number>();
  for (const node of nodesOf(query)) {
    const [name] = node.node === 'Field' ? node.chain : [];
    if (name !== undefined) used.set(name, (used.get(name) ?? 0) + 1);
  }
  return used;
}
