import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../compile.ts';
import { QueryError } from '../query-error.ts';
import { aggregateForms, learnedColumnsOf, learnedSchema, rowForms } from '../testing/learned-calls.ts';

// Functions of values that are made of properties with a type. On an engine they run in management-api/queries/learned-calls.full.test.ts.
const schema = learnedSchema;

function errorOf(text: string, typed: boolean): string | undefined {
  try {
    compileQuery({ text, ...(typed && { schema }), rowsMax: 10 });
    return undefined;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return error.message;
  }
}

// A time fits least where something else is expected. The full test has the other types, on an engine.
test('what compiles before the type of a time has settled compiles afterwards', () => {
  const [, groups] = learnedColumnsOf('t');
  const refused = [...rowForms, ...aggregateForms].flatMap((form) => {
    const text = `select ${form.replaceAll('$', 'latest')} as c from ${groups?.from ?? ''}`;
    const error = errorOf(text, true);
    return error === undefined || errorOf(text, false) !== undefined ? [] : [`${form}: ${error}`];
  });
  expect(refused).toEqual([]);
});

describe('a value that was read by a type is its text', () => {
  const from = '(select max(properties.n) as n, max(properties.b) as b, max(properties.t) as t from events)';
  const printed = (call: string): string =>
    compileQuery({ text: `select ${call} as c from ${from}`, schema, rowsMax: 10 }).sql;

  test.each(['length', 'empty', 'notEmpty', 'reverse', 'hex', 'lower', 'upper', 'trim', 'toString', 'MD5'])(
    'for %s',
    (name) => {
      for (const value of ['n', 'b', 't'])
        expect(printed(`${name}(${value})`)).toContain(`toString(\`__t0\`.\`${value}\`)`);
    },
  );

  test.each([
    ['a key of JSON', "JSONExtractString('{}', n)", "JSONExtractString('{}', toString(`__t0`.`n`))"],
    ['an item beside texts', "arrayPushBack([n], 'a')", 'toString(`__x`)'],
    ['a whole number, of a time', 'bitAnd(t, 1)', 'toString(`__t0`.`t`)'],
    ['a factor, of a time', 't * 2', 'multiply(toFloat64OrNull(toString(`__t0`.`t`)), 2)'],
    ['a factor, of a boolean', 'b * 2', 'multiply(toFloat64OrNull(toString(`__t0`.`b`)), 2)'],
    ['a list, of a number', 'arraySum(n)', 'array(toString(`__t0`.`n`))'],
  ])('for %s', (_, call, part) => expect(bound(printed(call))).toContain(part));

  test.each([
    ['a factor, of a number', 'n * 2', 'multiply(`__t0`.`n`, 2)'],
    ['later by an interval, of a time', 't + interval 1 day', 'plus(`__t0`.`t`, toIntervalDay(1))'],
    ['a difference, of times', 't - t', 'minus(`__t0`.`t`, `__t0`.`t`)'],
    ['a condition, of a boolean', 'if(b, 1, 0)', 'if(`__t0`.`b`, 1, 0)'],
    ['equal to a number in quotes', "n = '10.0'", 'equals(`__t0`.`n`, 10)'],
  ])('but not for %s', (_, call, part) => expect(printed(call)).toContain(part));
});

const bound = (sql: string): string => sql.replaceAll(/\{p\d+:String\}/g, "'{}'");

describe('a key of a group is compared as its value', () => {
  const key = "toFloat64OrNull(`__t0`.`properties`['n'])";
  const number = `if(isFinite(${key}), ${key}, NULL)`;
  const having = (condition: string): string =>
    compileQuery({
      text: `select properties.n as n, count() from events group by n having ${condition}`,
      schema,
      rowsMax: 10,
    }).sql;

  test.each([
    ["n = '10.0'", `equals(${number}, 10)`],
    ["n in ('10.0', '9')", `in(${number}, [10, 9])`],
    ["n < '10'", `less(${number}, 10)`],
    ["nullIf(n, '10') = '9'", `nullIf(${number}, 10)`],
    ["n = 'abc'", `equals(toString(${number}), `],
    ["toString(n) = '10'", `equals(toString(${number}), `],
  ])('%s', (condition, part) => expect(having(condition)).toContain(part));
});
