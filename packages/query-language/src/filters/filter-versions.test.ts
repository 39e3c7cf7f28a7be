import { describe, expect, test } from '@jest/globals';
import { readVersionOperator } from './filter-versions.ts';
import { readVersion, versionKey } from '../operators/version-keys.ts';

const key = (text: string): string => versionKey(readVersion(text) ?? []);

describe('versions (contract/endpoints 2.4)', () => {
  test('sort by their numbers', () => {
    const sorted = ['0', '0.0.1', '0.1', '1', '1.9.0', '1.10.0', '1.10.0.1', '2', '10', '9007199254740993'];
    expect(sorted.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))).toEqual(sorted);
  });

  test.each([
    ['1.2', '1.2.0'],
    ['v1.2.3', '1.2.3'],
    [' 1.2.3-beta.4+5 ', '1.2.3'],
    ['01.002', '1.2'],
  ])('%j is %j', (one, other) => expect(key(one)).toBe(key(other)));

  test.each(['', 'a', '1.', '.1', '1..2', '1.a', 'release 1.2', '1.2.3.4.5.6.7', '123456789012345678901', '-1'])(
    '%j is none',
    (text) => expect(readVersion(text)).toBeUndefined(),
  );

  test.each([
    ['semver_tilde', '1.2.3', '1.2.3', '1.3'],
    ['semver_tilde', '~1.2', '1.2', '1.3'],
    ['semver_tilde', '1', '1', '2'],
    ['semver_caret', '^1.2.3', '1.2.3', '2'],
    ['semver_caret', '0.2.3', '0.2.3', '0.3'],
    ['semver_caret', '0.0.3', '0.0.3', '0.0.4'],
    ['semver_caret', '0', '0', '1'],
    ['semver_wildcard', '1.2.*', '1.2', '1.3'],
    ['semver_wildcard', '1.*.x', '1', '2'],
  ])('%s %s is from %s to before %s', (operator, value, from, before) =>
    expect(readVersionOperator(operator, value)).toEqual({
      operator: 'version in',
      from: key(from),
      before: key(before),
    }),
  );

  test.each([
    ['semver_eq', '^1.2'],
    ['semver_wildcard', '1.2'],
    ['semver_wildcard', '*'],
    ['semver_wildcard', '1.*.2'],
    ['semver_caret', '~1.2'],
    ['semver_tilde', 'x'],
  ])('%s of %s has no meaning', (operator, value) => expect(readVersionOperator(operator, value)).toBeUndefined());
});
