import type { Expression } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { isSameTree } from '../../tree/tree-nodes.ts';
import { isTime } from '../../types.ts';
import type { PlannedKey } from '../plan.ts';
import { groupKeys, isStar, meantBy, outputName } from '../selects/select-shape.ts';
import { nodesOf } from '../selects/walk.ts';
import { hasColumn } from '../transform/add-keys.ts';
import { callOf } from '../transform/make-nodes.ts';
import type { DraftKey } from './draft-keys.ts';
import { isAlias, type FreshNames } from './fresh-names.ts';

/** How stored rows answer: each by itself, one group for all values, or groups that are put together. */
export type Reading = 'rows' | 'pinned' | 'regrouped';

/** Where keys are made. */
export interface KeyPlace {
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
  return drafts.map((draft): PlannedKey => {
    const bucketFn = bucketOf(draft, place.isGrouped);
    const meant = meantBy(draft.subject, place.query);
    const isGroupKey = draft.isProperty && groupKeys(place.query).some((key) => isSameTree(key, meant));
    const expression = storedOf(draft, reading, bucketFn, isGroupKey);
    const isPinned = reading === 'pinned';
    return {
      variable: draft.variable,
      column: columnName(draft, expression, place),
      path: draft.path,
      expression,
      operators: [...new Set(draft.lifted.map(({ op }) => op))],
      bucketFn: bucketFn ?? null,
      separator: draft.lifted.find(({ separator }) => separator !== undefined)?.separator ?? null,
      wrapper: draft.lifted.map(({ value }) => value).find(({ node }) => node !== 'Placeholder') ?? null,
      isOptional: draft.isOptional,
      isPinned,
      isGroupKey,
      exactFor: isPinned ? draft.pinnedBy : undefined,
    };
  });
}

// Rows that are stored one by one are as many whatever they are cut to, and are exact uncut.
function bucketOf(draft: DraftKey, isGrouped: boolean): string | undefined {
  if (!draft.isRange) return undefined;
  if (draft.override !== undefined) return draft.override;
  const isCut = isGrouped && !draft.isProperty && draft.path !== undefined && draft.subject.node === 'Field';
  const mayBeTime = draft.type ? isTime(draft.type) : draft.expected !== 'number';
  return isCut && mayBeTime ? 'toStartOfDay' : undefined;
}

// A property is stored as its text, which is what every comparison begins with. A project that knows its type would store that value
// of it. Where the query groups by it, that value is the key, and `servesValue` says what can be asked of it.
function storedOf(
  { subject, isProperty, type, pinnedBy }: DraftKey,
  reading: Reading,
  bucketFn: string | undefined,
  isGroupKey: boolean,
): Expression {
  if (bucketFn !== undefined) return callOf(bucketFn, subject);
  if (!isProperty || type?.asText || isGroupKey) return subject;
  const isNumber = reading === 'pinned' && pinnedBy?.[0] === 'number';
  return {
    node: 'ReadAs',
    type: isNumber ? 'number' : 'stored',
    expr: subject,
    start: subject.start,
    end: subject.end,
  };
}

function columnName({ variable, subject }: DraftKey, expression: Expression, place: KeyPlace): string {
  const { query, names, taken, isRenamed } = place;
  if (query.select.some(isStar) || !isAlias(variable) || taken.has(variable)) return names.make(`variable_${variable}`);
  if (query.select.some((item) => outputName(item) === variable))
    return !isRenamed && hasColumn(query, variable, expression) ? variable : names.make(`variable_${variable}`);
  const isItself = expression.node === 'Field' && expression.chain.length === 1 && expression.chain[0] === variable;
  if (!isItself && uses(query, variable, subject)) return names.make(`variable_${variable}`);
  return variable;
}

// Behind the SELECT list a column's name is the alias.
function uses(query: SelectQuery, name: string, subject: Expression): boolean {
  for (const node of nodesOf(query)) {
    if (node === subject && node.node === 'Field' && node.chain.length > 1) continue;
    if (node.node === 'Field' && node.chain[0] === name) return true;
  }
  return false;
}
