import { expect, test } from '@jest/globals';
import { prepareQuery } from '../compile.ts';
import { materializableCase } from './generated-materializable.ts';

const cases = Array.from({ length: 400 }, (_, seed) => materializableCase(seed));

test('every generated endpoint compiles with the values of its runs, and without any', () => {
  for (const { sql, variables, runs } of cases) {
    const defaults = Object.fromEntries(variables.map(({ code_name, default_value }) => [code_name, default_value]));
    const prepared = prepareQuery(sql);
    expect(new Set(prepared.placeholders.map(({ chain }) => chain[1]))).toEqual(new Set(Object.keys(defaults)));
    for (const run of [{}, ...runs])
      expect(prepared.print({ variables: { ...defaults, ...run } }, { rowsMax: 100 }).sql).toContain(
        'FROM analytics.events',
      );
  }
});

test('a seed is one case, and the cases have every form', () => {
  expect(materializableCase(7)).toEqual(materializableCase(7));
  const all = cases.map(({ sql }) => sql).join('\n');
  const forms = [
    'WITH picked',
    ' LIMIT ',
    'GROUP BY',
    ' LIKE ',
    'NOT ILIKE',
    'splitByChar',
    "= '' OR",
    'sumIf',
    'toDate(',
    '>= {variables.from_time}',
    '_number}',
    '> {variables.from_time}',
    'renewed_on}',
    'ARRAY JOIN',
  ];
  for (const form of forms) expect([form, all.split(form).length - 1 >= 10]).toEqual([form, true]);
  expect(cases.some(({ bucket_overrides }) => bucket_overrides['timestamp'] === 'hour')).toBe(true);
  expect(cases.some(({ events }) => events.length === 0)).toBe(true);
});
