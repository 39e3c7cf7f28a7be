import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../compile.ts';
import { parseSelect } from '../parse.ts';
import { findPlaceholders } from './placeholders.ts';

describe('findPlaceholders', () => {
  test('finds each one with its place, in the order of the text, wherever it stands', () => {
    const text =
      "with w as (select {variables.a} as x) select {b}, f({variables['c d']}) from w where x in (select {variables.a}) order by {e} limit {variables.f}";
    const found = findPlaceholders(parseSelect(text));
    expect(found.map(({ chain }) => chain.join('.'))).toEqual([
      'variables.a',
      'b',
      'variables.c d',
      'variables.a',
      'e',
      'variables.f',
    ]);
    expect(found.map(({ position }) => text.slice(position.start, position.end))).toEqual([
      '{variables.a}',
      '{b}',
      "{variables['c d']}",
      '{variables.a}',
      '{e}',
      '{variables.f}',
    ]);
  });
});

test('those of templates, maps, slices, COLUMNS and aliases are found too', () => {
  const text =
    "select f'{{a}}: {f'{{b}}'}', {'k': {c}, {d}: 1}, x[{e}:{f}], COLUMNS({g}, {h}), * replace ({i} as x), ({j} as y) + 1 from (t join u on {k})";
  expect(
    findPlaceholders(parseSelect(text))
      .map(({ chain }) => chain.join('.'))
      .join(''),
  ).toBe('abcdefghijk');
});

describe('values of placeholders', () => {
  test('{filters} holds for every row when nothing is given', () => {
    expect(compileQuery({ text: 'select 1 from events where {filters}', rowsMax: 1 }).sql).toContain('WHERE true');
  });

  test('a missing one is named', () => {
    expect(() => compileQuery({ text: 'select {variables.x}', variables: {}, rowsMax: 1 })).toThrow('{variables.x}');
  });

  test('the type of the value decides how a property is read', () => {
    const sql = (a: string | number): string =>
      compileQuery({ text: 'select 1 from events where properties.p = {variables.a}', variables: { a }, rowsMax: 1 })
        .sql;
    expect(sql('5')).toContain("equals(`__t0`.`properties`['p'], {p0:String})");
    expect(sql(5)).toContain("equals(toFloat64OrNull(`__t0`.`properties`['p']), 5)");
  });
});
