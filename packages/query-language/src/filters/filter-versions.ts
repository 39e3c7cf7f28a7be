import { readVersion, versionKey } from '../operators/version-keys.ts';
import type { FilterOperator } from './query-filters.ts';

type Comparison = Extract<FilterOperator, { operator: 'version' }>['comparison'];

const comparisons: Readonly<Record<string, Comparison>> = {
  semver_eq: '==',
  semver_neq: '!=',
  semver_gt: '>',
  semver_gte: '>=',
  semver_lt: '<',
  semver_lte: '<=',
};

/** Operators that compare versions. */
export const versionOperators: readonly string[] = [
  ...Object.keys(comparisons),
  'semver_tilde',
  'semver_caret',
  'semver_wildcard',
];

/** The test of such an operator (contract/endpoints 2.4); undefined when the value is none for it. Pure. */
export function readVersionOperator(operator: string, value: string): FilterOperator | undefined {
  const comparison = comparisons[operator];
  if (comparison !== undefined) {
    const version = readVersion(value);
    return version && { operator: 'version', comparison, value: versionKey(version) };
  }
  const found = ranges[operator]?.(value.trim());
  return found && { operator: 'version in', from: versionKey(found.version), before: versionKey(found.before) };
}

interface VersionRange {
  version: bigint[];
  before: bigint[];
}

const ranges: Readonly<Record<string, (value: string) => VersionRange | undefined>> = {
  semver_tilde: (value) => upTo(value.replace(/^~\s*/, ''), (version) => Math.min(version.length, 2)),
  semver_caret: (value) => upTo(value.replace(/^\^\s*/, ''), (version) => firstThatCounts(version) + 1),
  semver_wildcard: (value) => {
    const numbers = /^(.*\d)(?:\.[*xX])+$/.exec(value)?.[1];
    return numbers === undefined ? undefined : upTo(numbers, (version) => version.length);
  },
};

/** From a version to the first one whose `same` first numbers are others. */
function upTo(text: string, same: (version: readonly bigint[]) => number): VersionRange | undefined {
  const version = readVersion(text);
  if (version === undefined) return undefined;
  const kept = version.slice(0, same(version));
  return { version, before: kept.with(-1, (kept.at(-1) ?? 0n) + 1n) };
}

// A change of the first number that is not 0 may break what relies on it.
function firstThatCounts(version: readonly bigint[]): number {
  const at = version.findIndex((number) => number > 0n);
  return at === -1 ? version.length - 1 : at;
}
