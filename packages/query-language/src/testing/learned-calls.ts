import type { PropertyType } from '@millrace/contracts/property-types.ts';
import type { FunctionSignature } from '../functions/function-signature.ts';
import {
  aggregateFunctions,
  scalarFunctions,
  specialFunctionNames,
  windowFunctions,
} from '../functions/function-table.ts';
import type { ArgumentKind } from '../operators/convert-argument.ts';
import { schemaOf } from './schema-of.ts';

// Every function of the language, called with every kind of value that is made of a property whose type was learned.

/** Properties of events by name. `…2` is another property of the same type. */
export const learnedSchema = schemaOf({
  event: {
    n: 'Numeric',
    n2: 'Numeric',
    b: 'Boolean',
    b2: 'Boolean',
    t: 'DateTime',
    t2: 'DateTime',
    l: 'List',
    l2: 'List',
  },
});

/** The property that stands for each type that changes what a query reads. */
export const learnedProperties: Readonly<Record<Exclude<PropertyType, 'String'>, string>> = {
  Numeric: 'n',
  Boolean: 'b',
  DateTime: 't',
  List: 'l',
};

/** A sub-query whose columns are values of one property. */
export interface LearnedColumns {
  from: string;
  columns: readonly string[];
}

/** Values that are made of a property. */
export function learnedColumnsOf(property: string): LearnedColumns[] {
  const [one, two] = [`properties.${property}`, `properties.${property}2`];
  const rows = {
    plain: one,
    joined: `coalesce(${one}, ${two})`,
    chosen: `if(properties.b, ${one}, ${two})`,
    item: `[${one}, ${two}][1]`,
  };
  const groups = {
    grouped: one,
    most: `max(${one})`,
    latest: `argMax(${one}, timestamp)`,
    listed: `groupArray(${one})`,
  };
  const columnsOf = (columns: Readonly<Record<string, string>>): string =>
    Object.entries(columns)
      .map(([name, value]) => `${value} as ${name}`)
      .join(', ');
  return [
    { from: `(select ${columnsOf(rows)}, timestamp as at from events)`, columns: Object.keys(rows) },
    {
      from: `(select ${columnsOf(groups)}, max(timestamp) as at from events group by ${one})`,
      columns: Object.keys(groups),
    },
    { from: `(select distinct ${one} as only, timestamp as at from events)`, columns: ['only'] },
  ];
}

const samples: Readonly<Record<string, string>> = {
  number: '1',
  integer: '1',
  weight: '1',
  time: 'now()',
  moment: 'now()',
  condition: '1 = 1',
  interval: 'interval 1 day',
  array: "['a']",
  lambda: 'x -> x',
};

function sampleOf(kind: ArgumentKind): string {
  return typeof kind === 'string' ? (samples[kind] ?? "'a'") : `'${kind[0] ?? ''}'`;
}

// The value in each place beside samples, and in all places.
function argumentLists({ args, required }: FunctionSignature): string[] {
  const counts = [...new Set([Math.max(required, 1), args.length])].filter((count) => count > 0);
  return counts.flatMap((count) => {
    const kinds = Array.from({ length: count }, (_, index) => args[index] ?? args[args.length - 1] ?? 'any');
    const places = kinds.flatMap((kind, index) => (typeof kind !== 'string' || kind === 'lambda' ? [] : index));
    const given = [...places.map((place) => [place]), ...(places.length > 1 ? [places] : [])];
    return given.map((at) => kinds.map((kind, index) => (at.includes(index) ? '$' : sampleOf(kind))).join(', '));
  });
}

const others = ['1', "'a'", 'now()', 'true', 'interval 1 day', "['a']", '$'];

/** Arguments of the functions whose signature no table has. */
const specialLists = [
  '$',
  ...others.flatMap((other) => [`$, ${other}`, ...(other === '$' ? [] : [`${other}, $`])]),
  "'day', $",
  "'day', 1, $",
  "'day', $, now()",
  "$, '%Y'",
  "$, 'Int64'",
  "$, 'String'",
  "$, 'UTC'",
  "true, $, 'a'",
  'true, $, 1',
  'true, $, $',
  '$, 1, 2',
  "$, ['a'], ['b']",
  "$, ['a'], ['b'], 'c'",
  "'a', ['a'], ['b'], $",
  'x -> x, $',
];

const operators = [
  ...["'a'", '1', 'now()', 'true', "'2026-04-02'", '$'].flatMap((other) => [
    `$ = ${other}`,
    `$ < ${other}`,
    `$ in (${other})`,
    `$ between ${other} and ${other}`,
    `coalesce($, ${other})`,
    `nullIf($, ${other})`,
    `case $ when ${other} then 1 end`,
    `case when true then $ else ${other} end`,
  ]),
  ...['int', 'float', 'text', 'bool', 'date', 'datetime', 'uuid'].map((type) => `$::${type}`),
  "$ || 'a'",
  '-$',
  '$ and true',
  '$ is null',
  "$ ~ 'a'",
  '[1, 2][$]',
  "map('a', 1)[$]",
  "$ = ['a']",
  "$ not in ('a', 'b')",
  "$ in (select 'a')",
  '$ in (select properties.n from events)',
  '$ in (select max(properties.n) from events)',
  '(select max(properties.n) from events) = $',
  "$ ilike 'a'",
  "f'{$}'",
  "[$, 'a']",
  "[$, 'a'][1]",
  "has([$, 'a'], 'b')",
  "($, 1) = ('a', 1)",
  "($, 1) = ('10', 1)",
  '($, 1) < (5, 1)',
  '($, 1) = ($, 1)',
  "($, 'a') != ('a', $)",
  '$.inside',
  "$['inside'] = 'a'",
  "($, 1) in (('a', 1))",
  "map('k', $)['k'] = 'a'",
  "map('k', $, 'l', 'a')",
  "arrayMap(x -> x || 'a', [$])",
  "arrayFilter(x -> x = $, ['a'])",
  "arrayMap(x -> concat(x, 'a'), $)",
  'arrayMap(x -> x + 1, $)',
  'arrayMap(x -> length(x), $)',
  "arrayFilter(x -> x = 'a', $)",
  'arrayFilter(x -> x > 1, $)',
  'arraySum(x -> x * 2, $)',
  'arrayExists(x -> x, $)',
  'arraySort(x -> x, $)',
  "$[1] || 'a'",
  'length($[1])',
  "$[1] = 'a'",
  'extract(year from $)',
  'substring($ from 1 for 2)',
  'count() over (partition by $)',
  'max($) over (order by at)',
  "multiIf($ = 'a', 1, $ = '1', 2, 3)",
  "if($ = 'a', $, 'b')",
  'greatest($, $) || $',
  'lower(coalesce($, $))',
  'length(if(true, $, $))',
  'empty(nullIf($, $))',
  "if(true, $, ['a'])",
];

/** Calls of functions of rows and of windows, and operators: `$` is the value. */
export const rowForms: readonly string[] = [
  ...[...scalarFunctions.values()].flatMap((signature) =>
    argumentLists(signature).map((list) => `${signature.name}(${list})`),
  ),
  ...specialFunctionNames
    // Conversions to numbers are alike but for the name.
    .filter((name) => !/^to(?:U?Int|Float)\d/.test(name))
    .flatMap((name) => specialLists.map((list) => `${name}(${list})`)),
  ...operators,
  ...[...windowFunctions.values()].flatMap((signature) =>
    argumentLists(signature).map((list) => `${signature.name}(${list}) over (order by at)`),
  ),
  "lag($, 1, 'a') over (order by at)",
];

/** Calls of aggregate functions. */
export const aggregateForms: readonly string[] = [
  ...[...aggregateFunctions.values()].flatMap((signature) =>
    argumentLists(signature).flatMap((list) => [
      `${signature.name}(${list})`,
      `${signature.name}(2)(${list})`,
      `${signature.name}If(${list}, true)`,
    ]),
  ),
  "string_agg($, ',')",
  "string_agg($, ',' order by $)",
  'groupArray($ order by at)',
  'groupArray(at order by $)',
  'array_agg(distinct $)',
  'count(distinct $)',
  'sum($) filter (where $)',
  'finalizeAggregation(maxState($))',
  "countIf($ = 'a')",
  'length(max($))',
  "max($) = 'a'",
  'max($) - min($)',
  "argMax($, at) || 'a'",
  'any($) like any($)',
  'arraySort(groupArray($))',
  "arrayStringConcat(groupArray($), ',')",
  "has(groupArray($), 'a')",
  'has(groupArray($), max($))',
  'arrayPushBack(groupArray($), max($))',
  'maxArgMax($, at)',
];
