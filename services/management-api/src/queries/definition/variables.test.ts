import { describe, expect, test } from '@jest/globals';
import { checkQuery } from '../compile/check-query.ts';
import { withShared } from './shared-variables.ts';
import { bindVariables, readDeclarations, valueOfText } from './variables.ts';

const declare = (declaration: Record<string, unknown>) => readDeclarations({ id1: { code_name: 'x', ...declaration } });
const thrownBy = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: { attr?: string } };
    return { code, message, attr: details.attr };
  }
};

describe('declarations (contract/endpoints 2.2)', () => {
  test.each([
    ['the declared type wins', { type: 'Date', value: '2026-01-01' }, { type: 'Date', fallback: '2026-01-01' }],
    ['inferred from a number', { value: 3 }, { type: 'Number', fallback: 3 }],
    ['inferred from a boolean', { value: false }, { type: 'Boolean', fallback: false }],
    ['inferred from a list', { value: ['a'] }, { type: 'List', fallback: ['a'] }],
    ['text without a value, required', { type: 'String' }, { type: 'String', fallback: undefined }],
    ['neither type nor value', {}, { type: 'Any', fallback: undefined }],
    ['null by declaration', { isNull: true }, { type: 'Any', fallback: null }],
    [
      'what other clients write beside it',
      { value: 1, default_value: 2, nullable: null, id: 'a', name: 'X', values: [1] },
      { type: 'Number', fallback: 1 },
    ],
    ['the empty text is a default', { value: '' }, { type: 'String', fallback: '' }],
  ])('%s', (_name, declaration, expected) => expect(declare(declaration)).toEqual([{ name: 'x', ...expected }]));

  test.each([
    ['variables that are no object', [], 'object'],
    ['a declaration that is no object', { a: 1 }, 'variable a'],
    ['no code_name', { a: {} }, 'code_name'],
    ['an unknown type', { a: { code_name: 'x', type: 'Money' } }, 'type of variable x'],
    ['a default of another type', { a: { code_name: 'x', type: 'Number', value: 'y' } }, 'default of variable x'],
    [
      'a default by another name',
      { a: { code_name: 'x', default: 'y' } },
      '"default" is not a field of variable x. Write value.',
    ],
    ['the same of the variables of a project', { a: { code_name: 'x', default_value: 'y' } }, 'Write value.'],
    ['a type misspelt', { a: { code_name: 'x', Type: 'Number' } }, 'Write type.'],
    ['one name twice', { a: { code_name: 'x' }, b: { code_name: 'x' } }, 'twice'],
  ])('%s is a 400 on query', (_name, variables, words) => {
    expect(thrownBy(() => readDeclarations(variables))).toMatchObject({
      attr: 'query',
      message: expect.stringContaining(words),
    });
  });
});

describe('values of a run (contract/endpoints 2.3, 4.3)', () => {
  test.each([
    ['the request wins over the default', { value: 'a' }, { x: 'b' }, { x: 'b' }],
    ['the default', { value: 'a' }, {}, { x: 'a' }],
    ['an explicit null is NULL', { value: 'a' }, { x: null }, { x: null }],
    ['a declared null', { isNull: true }, {}, { x: null }],
    ['a list', { type: 'List' }, { x: [1, 2] }, { x: [1, 2] }],
    ['a leap day', { type: 'Date' }, { x: '2028-02-29T23:30:00-05:00' }, { x: '2028-02-29T23:30:00-05:00' }],
  ])('%s', (_name, declaration, given, expected) =>
    expect(bindVariables(declare(declaration), given)).toEqual(expected),
  );

  test.each([
    ['unknown names, sorted', {}, { z: 1, b: 2 }, 'Unknown variables: b, z. Variables here: x.'],
    ['missing', {}, {}, 'Missing required variables: x.'],
    ['not a number', { type: 'Number' }, { x: '5' }, 'must be a number'],
    [
      'not a date',
      { type: 'Date' },
      { x: 'tomorrow' },
      'must be a date in ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z.',
    ],
    ['a day that no month has', { type: 'Date' }, { x: '2026-02-30' }, ': there is no such day.'],
    ['a month that no year has', { type: 'Date' }, { x: '2026-13-01' }, ': there is no such day.'],
    ['a leap day of another year', { type: 'Date' }, { x: '2025-02-29T12:00:00+02:00' }, 'must be a date'],
    ['an hour that no day has', { type: 'Date' }, { x: '2026-01-01 24:30' }, ': there is no such time.'],
    ['not a list', { type: 'List' }, { x: 'a' }, 'must be a list'],
    ['a mixed list', { type: 'List' }, { x: [1, 'a'] }, 'must be a list'],
    ['an object', {}, { x: {} }, 'must be a text'],
    ['a list for a text', { type: 'String' }, { x: ['a'] }, 'must be a text'],
  ])('%s is a 400 on variables', (_name, declaration, given, words) => {
    expect(thrownBy(() => bindVariables(declare(declaration), given))).toMatchObject({
      attr: 'variables',
      message: expect.stringContaining(words),
    });
  });

  test('names of Object.prototype have values like any other', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const declared = names.map((name) => ({ name, type: 'Any' as const, fallback: null }));
    expect(Object.entries(bindVariables(declared, {}))).toEqual(names.map((name) => [name, null]));
    const given = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(Object.entries(bindVariables(declared, given))).toEqual(names.map((name) => [name, 'x']));
  });

  test('names of Object.prototype are unknown like any other', () => {
    expect(
      thrownBy(() => bindVariables([], JSON.parse('{"__proto__": 1, "constructor": 2}') as Record<string, unknown>)),
    ).toMatchObject({
      message: 'Unknown variables: __proto__, constructor. This query has no variables.',
    });
  });

  test.each([
    ['Number', '5.5', 5.5],
    ['Number', 'abc', 'abc'],
    ['Boolean', 'true', true],
    ['Number', ' ', ' '],
    ['Boolean', 'false', false],
    ['Boolean', 'yes', 'yes'],
    ['List', 'a,b', ['a', 'b']],
    ['List', ' a b,  c ', ['a b', 'c']],
    ['List', '', []],
    ['Any', '5', '5'],
    ['String', '5', '5'],
  ] as const)('a %s in a URL: %s', (type, text, expected) => expect(valueOfText(type, text)).toEqual(expected));
});

describe('many variables', () => {
  // Quadratic in their number, these took seconds.
  test('are looked up by name', () => {
    const declarations = Object.fromEntries(
      Array.from({ length: 40_000 }, (_, index) => [
        `id${index}`,
        { code_name: `a variable with a name ${index}`, value: index },
      ]),
    );
    const before = process.cpuUsage();
    const declared = readDeclarations(declarations);
    const given = Object.fromEntries(declared.map(({ name }) => [name, 1]));
    expect(Object.keys(bindVariables(declared, given))).toHaveLength(40_000);
    const shared = declared.map(({ name }, index) => ({
      id: `shared${index}`,
      codeName: name,
      type: 'Number',
      defaultValue: 1,
    }));
    expect(Object.keys(withShared(declarations, shared) as object)).toHaveLength(40_000);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_500);
  });
});

test('a query declares 1,000 variables at most, used or not', () => {
  const declared = (count: number): Record<string, unknown> => ({
    kind: 'HogQLQuery',
    query: 'select {variables.v0}',
    variables: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`id${index}`, { code_name: `v${index}`, value: 1 }]),
    ),
  });
  expect(checkQuery(declared(1_000)).query.variables).toMatchObject({ id0: { code_name: 'v0' } });
  expect(thrownBy(() => checkQuery(declared(30_000)))).toMatchObject({
    attr: 'query',
    message: expect.stringContaining('more than 1,000 declarations'),
  });
});
