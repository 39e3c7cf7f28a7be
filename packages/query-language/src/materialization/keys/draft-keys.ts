import type { Expression } from '../../tree/expressions.ts';
import type { Cte } from '../../tree/statements.ts';
import { isTime, type ValueType } from '../../types.ts';
import type { PlannedVariable, ValueWord } from '../plan.ts';
import type { Home } from '../variables/find-uses.ts';
import { isRange, isTimeWrapped, type Lifted } from '../variables/lifted.ts';
import { bucketFunction } from './buckets.ts';
import { subjectTypes } from './subject-types.ts';

/** Facts about a variable's column before it is decided how the table is read. */
export interface DraftKey {
  readonly variable: string;
  readonly lifted: readonly Lifted[];
  readonly subject: Expression;
  readonly type: ValueType | undefined;
  /** A property, which is read as whatever it is compared with. */
  readonly isProperty: boolean;
  readonly path: string | undefined;
  /** By `>=` and its like alone, with a plain column. */
  readonly isRange: boolean;
  /** Every comparison is one of times, whatever the value is. */
  readonly isOfTimes: boolean;
  readonly override: string | undefined;
  readonly isOptional: boolean;
  /** May one value match several stored values, whatever it is? */
  readonly isMany: boolean;
  /** Kinds of values that equal one stored value at most; undefined: all. */
  readonly pinnedBy: readonly ValueWord[] | undefined;
  /** How a property is read where one such value is to pick one group. */
  readonly pinnedAs: 'number' | 'time' | 'stored';
  /** Kinds of values that are to be expected, by the declaration; undefined: any. */
  readonly expected: ValueWord | undefined;
}

/** Drafts of the keys, in the order in which their variables are written. */
export function draftKeys(
  home: Home,
  ctes: readonly Cte[],
  variables: readonly PlannedVariable[],
  overrides: Readonly<Record<string, string>>,
): DraftKey[] {
  const byName = Map.groupBy(home.lifted, ({ variable }) => variable);
  const lists = [...byName.values()];
  const types = subjectTypes(
    lists.map(([first]) => (first as Lifted).subject),
    home.query,
    ctes,
  );
  return lists.map((lifted, at) => {
    const declared = variables.find(({ name }) => name === lifted[0]?.variable);
    return draft(lifted, types[at], declared?.type ?? 'Any', overrides);
  });
}

const expectedOf: Readonly<Record<PlannedVariable['type'], ValueWord | undefined>> = {
  String: 'text',
  Date: 'text',
  Number: 'number',
  Boolean: 'boolean',
  List: undefined,
  Any: undefined,
};

/** Values of these types make numbers and times of the properties that they are compared with. */
const readingOf: Partial<Record<PlannedVariable['type'], 'number' | 'time'>> = { Number: 'number', Date: 'time' };

function draft(
  lifted: readonly Lifted[],
  type: ValueType | undefined,
  declared: PlannedVariable['type'],
  overrides: Readonly<Record<string, string>>,
): DraftKey {
  const [{ subject, variable }] = lifted as [Lifted];
  const path = pathOf(subject);
  const isProperty = type?.property ?? path?.includes('properties') ?? false;
  const isMany = lifted.some(({ op }) => op !== '==');
  const isOfTimes =
    type !== undefined && (isTime(type) || (isProperty && (declared === 'Date' || lifted.every(isTimeWrapped))));
  const isOverridable = path !== undefined && isOfTimes;
  const word = isOverridable && Object.hasOwn(overrides, path) ? overrides[path] : undefined;
  const expected = expectedOf[declared];
  const pinnedBy = kindsOf(lifted, type, isProperty, expected);
  const isCompared = isProperty && pinnedBy !== undefined && pinnedBy.length > 0;
  const isAlike = pinnedBy !== undefined && pinnedBy.length === 0;
  return {
    variable,
    lifted,
    subject,
    type,
    isProperty,
    path,
    isRange: path !== undefined && lifted.every(isRange),
    isOfTimes,
    override: bucketFunction(word),
    isOptional: lifted.some(({ isOptional }) => isOptional),
    isMany: isMany || isAlike || declared === 'List',
    pinnedBy,
    pinnedAs: isCompared ? (readingOf[declared] ?? 'stored') : 'stored',
    expected,
  };
}

/** Functions of a value whose result is a text. */
const textFunctions: ReadonlySet<string> = new Set(['tostring', 'lower', 'upper', 'trim', 'concat']);

// A property equals a number or a time in whatever way that is written: '1' and '1.0' are two stored values.
function kindsOf(
  lifted: readonly Lifted[],
  type: ValueType | undefined,
  isProperty: boolean,
  expected: ValueWord | undefined,
): readonly ValueWord[] | undefined {
  if (type && !isProperty) return undefined;
  const wrapped = lifted.map(({ value }) => value).filter(({ node }) => node !== 'Placeholder');
  const areTexts = wrapped.every((value) => value.node === 'Call' && textFunctions.has(value.name.toLowerCase()));
  if (wrapped.length > 0) return areTexts && wrapped.length === lifted.length ? undefined : [];
  return isProperty && expected === 'number' ? ['number'] : ['text'];
}

/** The dotted path of a column as it is written; `JSONExtractString(properties, 'plan')` is one too. */
function pathOf(subject: Expression): string | undefined {
  if (subject.node === 'Field') return subject.chain.join('.');
  if (subject.node !== 'Call' || subject.name !== 'JSONExtractString') return undefined;
  const [base, key, ...rest] = subject.args;
  const isKey = base?.node === 'Field' && key?.node === 'Constant' && typeof key.value === 'string';
  return isKey && rest.length === 0 ? [...base.chain, key.value].join('.') : undefined;
}
