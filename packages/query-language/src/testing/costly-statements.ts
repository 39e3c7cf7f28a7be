import type { CostlyFamily } from './costly-family.ts';
import { doublingFamilies } from './doubling-statements.ts';

// Each encloses an expression, as deep as statements may nest.
const wrappers: readonly (readonly [before: string, behind: string])[] = [
  ['(', ' + 1)'],
  ['-', ''],
  ['not ', ''],
  ['(', ' as y~_#)'],
  ['[', ']'],
  ['[', ', properties.b]'],
  ['(', ', 1)'],
  ['(1, ', ').2'],
  ["{'k': ", '}'],
  ["f'a{", "}'"],
  ['arrayMap(x -> ', ', [1])'],
  ['arrayMap(x# -> ', ' + x#, [1, 2])'],
  ['arrayFilter(x -> x, ', ')'],
  ['if(1, ', ', 2)'],
  ['case when ', ' then 1 else 2 end'],
  ['case ', ' when 1 then 2 end'],
  ['coalesce(', ', 1)'],
  ['(', ' ?? 2)'],
  ['(', " || 'a')"],
  ['toString(', ')'],
  ['toFloat(', ')'],
  ['toDateTime(', ')'],
  ['(', ' between 1 and 2)'],
  ['(1 between ', ' and 2)'],
  ['(', ' in (1, 2))'],
  ['(1 in (', ', 2))'],
  ['(', ' in properties.n)'],
  ['equals(', ', properties.m)'],
  ['(', ' = properties.a)'],
  ['(', ' < properties.a)'],
  ['(', ' is distinct from properties.b)'],
  ['(', " like '%a')"],
  ['(', ' is null)'],
  ['(', '::int)'],
  ['(', '::array(string))'],
  ['cast(', ' as datetime)'],
  ['range(', ')[1:-1]'],
  ['range(9)[', ':2]'],
  ['range(9)[', ']'],
  ['tuple(', ', 2).1'],
  ['(1 = 1 ? ', ' : 2)'],
  ['(', ' and 1)'],
  ['(', ' or event)'],
  ['(select ', ')'],
  ['(select * from (select ', '))'],
  ['exists(select ', ')'],
  ['(1 in (select ', '))'],
  ['(with # as z# select z# + ', ')'],
  ['dateAdd(day, ', ', now())'],
  ['has([1, 2], ', ')'],
  ['greatest(', ', 2)'],
  ['round(', ', 2)'],
  ['JSONExtract(toString(', "), 'Array(String)')"],
  ['max(', ')'],
  ['sumIf(1, ', ')'],
  ['count(distinct ', ', 1)'],
  ['groupArray(', ' order by event)'],
  ['groupArray(1 order by ', ')'],
  ['argMax(event, ', ')'],
  ['sum(', ') over (order by event)'],
  ['sum(1) over (partition by ', ')'],
  ['lag(', ', 1) over w'],
  ['lag(', ') ignore nulls over ()'],
  ['ARRAY[', ', 1]'],
  ['split_part(', ", ',', 2)"],
  ['to_char(toDateTime(', "), 'YYYY-MM-DD')"],
  ["date_part('hour', toDateTime(", '))'],
  ['([1] && [', '])'],
  ['(', " ~* 'a')"],
  ['substring(', ' from 2 for 3)'],
  ['(toDateTime(', ") + interval '1 day 2 hours')"],
  ['unnest([', '])'],
  ['(1 in (values (', '), (2)))'],
  ['(select max(c) from (values (', '), (1)) as t(c))'],
  ['(select max(s) from generate_series(1, ', ') as s)'],
  ['(select max(u) from unnest([', ']) as u)'],
];

const leaves = [
  'event',
  'properties.a',
  'properties.a.b.c',
  '1',
  "'x'",
  'null',
  'person.properties.z',
  '{x}',
  '[1, 2]',
  'number',
  'y1',
  'timestamp',
  '(event, 1)',
];

// Lists: # is replaced by the number of an item, @ by that of the one before; inside an item ~ is its number.
const slots: readonly (readonly [name: string, before: string, behind: string, separator: string])[] = [
  ['select', 'select ', ' from events', ', '],
  ['sum', 'select ', ' from events', ' + '],
  ['call', 'select concat(', ') from events', ', '],
  ['where', 'select 1 from events where ', '', ' and '],
  ['in list', 'select event in (', ') from events', ', '],
  ['array', 'select [', '] from events', ', '],
  ['greatest', 'select greatest(', ') from events', ', '],
  ['case', 'select case ', ' else 1 end from events', ' then 1 when '],
  ['group by', 'select 1 from events group by ', '', ', '],
  ['rollup', 'select count() from events group by rollup(', ')', ', '],
  ['sets', 'select count() from events group by grouping sets ((', '))', '), ('],
  ['having', 'select count() from events having ', '', ' or '],
  ['order by', 'select 1 from events order by ', '', ', '],
  ['limit by', 'select 1 from events limit 1 by ', '', ', '],
  ['window', 'select 1 from events window w as (partition by ', ')', ', '],
  ['array join', 'select 1 from events array join ', ' as q', ' as q#, '],
  ['with', 'with ', ' as q select q from events', ' as q#, '],
  ['ctes', 'with ', ' as c) select 1', ' as c), q# as (select '],
  ['aliases', 'select ', ' as q, q from events', ' as q#, q# + '],
  ['on', 'select 1 from events e join events f on ', '', ' and '],
  ['union', 'select ', ' from events', ' from events union all select '],
  ['sub-queries', 'select 1 from (select ', ' from events) q', ' from events) q# cross join (select '],
  ['columns', 'select COLUMNS(', ') from events', ', '],
  ['lambda', 'select arrayMap((y1, y2) -> (', '), [1], [2]) from events', ', '],
  ['values', 'select * from (values (', ')) as t', '), ('],
  ['wide values', 'select * from (values (', ')) as t', ', '],
  ['distinct on', 'select distinct on (', ') 1 from events', ', '],
  ['series', 'select 1 from generate_series(1, ', ') t', ') t# cross join generate_series(1, '],
  ['unnest', 'select 1 from unnest([', ']) t', ']) t# cross join unnest(['],
  ['explained columns', 'explain select ', ' from events', ', '],
  ['explained where', 'explain select 1 from events where ', '', ' and '],
  ['explained union', 'explain select ', ' from events', ' from events union all select '],
  ['described', 'describe (select ', ' from events)', ', '],
];

// Behind a CTE `w` of many columns.
const readers: readonly (readonly [name: string, before: string, part: string, behind: string])[] = [
  ['union', 'select * from w', ' union all select * from w', ''],
  ['except', 'select * from w', ' except select * from w', ''],
  ['union of sub-queries', 'select 1', ' union all select 1 from (select * from w)', ''],
  ['union in brackets', 'select * from w', ' union all (select * from w', ')'],
  ['sub-query in sub-query', '', 'select * from (', 'select * from w)'],
  ['stars', 'select *', ', *', ' from w'],
  ['stars of tables', 'select 1', ', w.*', ' from w'],
  ['COLUMNS of stars', 'select COLUMNS(*', ', *', ') from w'],
  ['patterns', "select COLUMNS('a')", ", COLUMNS('b')", ' from w'],
  ['patterns in COLUMNS', "select COLUMNS(COLUMNS('zz')", ", COLUMNS('b')", ') from w'],
  ['except', 'select * except (a0)', ', * except (a1)', ' from w'],
  ['replace', 'select * replace (a1 as a0)', ', * except (a1)', ' from w'],
  ['long except', 'select * except (a0', ', a#', ') from w'],
  ['long replace', 'select * replace (1 as a0', ', a# + 1 as a#', ') from w'],
  ['scalar sub-queries', 'select 1', ', (select * from w)', ''],
  ['IN of it', 'select 1', ', 1 in w', ''],
  ['IN of stars', 'select 1 where 1', ' or 1 in (select * from w)', ''],
  ['exists', 'select 1', ', exists(select * from w)', ''],
  ['cross join', 'select 1 from w', ' cross join w t#', ''],
  ['stars of joins', 'select * from w', ' cross join w t#', ''],
  ['natural joins', 'select * from w', ' natural join w t#', ''],
  ['full joins', 'select * from w', ' full join w t# using (a0, a1)', ''],
  ['joined sub-queries', 'select * from w', ' left join (select * from w) t# on true', ''],
  ['sorted by all', 'select 1', ' union all (select * from w order by all)', ''],
  ['grouped by all', 'select 1', ' union all (select * from w group by all)', ''],
  ['rollups', 'select 1', ' union all (select * from w group by rollup(a0, 1))', ''],
  ['fields', 'select a0', ', a#', ' from w'],
  ['fields of an array', 'select [a0', ', a0', '] from w'],
  ['fields of joins', 'select [t1.a0', ', t2.a0', '] from w t1 cross join w t2'],
  ['interpolate', 'select * from w order by a0 with fill interpolate (a1', ', a1', ')'],
  ['order', 'select * from w order by a0', ', a#', ''],
  ['positions', 'select * from w order by 1', ', 2', ''],
  ['grouping sets', 'select * from w group by grouping sets ((a0', '), (a0, a#', '))'],
  ['unknown', 'select 1', ', 1', ', zzzzzzzzz from w'],
  ['unknown in EXCEPT', 'select 1', ', 1', ', * except (zzzzzzzzz) from w'],
  ['tuples', 'select (select * from w).1', ' + (select * from w).2', ''],
  ['array joins', 'select * from w array join [1] as b', ', [1] as b#', ''],
  ['windows', 'select sum(a0) over v', ' + sum(a0) over v', ' from w window v as (order by a0)'],
];
const chains: readonly (readonly [name: string, part: string])[] = [
  ['stars of the one before', ', w# as (select * from w@)'],
  ['stars of the first', ', w# as (select * from w0)'],
  ['unions', ', w# as (select * from w@ union all select * from w@)'],
  ['recursion', ', w# as (select * from w@ union all select * from w#)'],
  ['joins', ', w# as (select x.* from w@ x cross join w@ y)'],
  ['columns left out', ', w# as (select * except (a0) from w0)'],
  ['tuples', ', (select * from w0) as s#'],
];

// Names of both kinds: short and many, long and fewer.
const bases: readonly (readonly [name: string, column: string])[] = [
  ['columns', '1 a#, '],
  ['properties', 'properties.a a#, '],
  ['texts', "'x' as a#, "],
  ['long names', `1 as a#, 1 as ${'n'.repeat(100)}#, `],
  ['arrays', '[1] a#, '],
  ['lists of lists', "(1, 'a') a#, "],
];

function numbered(part: string, number: number): string {
  return part.replaceAll('#', String(number)).replaceAll('@', String(number - 1));
}

function filled(part: string, length: number, countMax = Infinity, from = 0): string {
  let text = '';
  for (let number = from; text.length + part.length < length && number - from < countMax; number += 1)
    text += numbered(part, number);
  return text;
}

function wide([, column]: readonly [string, string], length: number): string {
  return filled(column, length).replace(/, $/, '') || '1 a0';
}

/** Readings of a wide CTE, `share` of whose length is its columns. */
function readings(share: number): CostlyFamily[] {
  return bases.flatMap((base) => {
    const from = base[0] === 'properties' ? ' from events' : '';
    const first = (length: number, name: string, recursive: boolean): string =>
      `with ${recursive ? 'recursive ' : ''}${name} as (select ${wide(base, length * share)}${from})`;
    const read = readers.map(([name, before, part, behind]): CostlyFamily => ({
      name: `${base[0]} ${share}, ${name}`,
      make: (length) => {
        const start = `${first(length, 'w', false)} ${before}`;
        const nested =
          behind.endsWith(')') &&
          !name.startsWith('COLUMNS') &&
          (name.includes('brackets') || name.startsWith('sub-query in'));
        const middle = filled(
          part,
          length - start.length - behind.length * (nested ? 190 : 1),
          nested ? 190 : /join/.test(name) ? 49 : Infinity,
          1,
        );
        const count = nested ? middle.split(part).length - 1 : 1;
        return (
          start +
          middle +
          (nested && name.startsWith('sub-query in')
            ? behind + ')'.repeat(Math.max(0, count - 1))
            : behind.repeat(count))
        );
      },
    }));
    const chained = chains.map(([name, part]): CostlyFamily => ({
      name: `${base[0]} ${share}, chain of ${name}`,
      make: (length) => {
        const start = first(length, 'w0', name === 'recursion');
        return `${start}${filled(part, length - start.length - 20, Infinity, 1)} select 1`;
      },
    }));
    return [...read, ...chained];
  });
}

function wrapped(pair: readonly (readonly [string, string])[], leaf: string, depth: number): string {
  let text = leaf;
  for (let level = 0; level < depth; level += 1) {
    const [before, behind] = pair[level % pair.length] as readonly [string, string];
    text = numbered(before, level) + text + numbered(behind, level);
  }
  return text;
}

function inSlot(
  [, before, behind, separator]: (typeof slots)[number],
  item: string,
  length: number,
  countMax = Infinity,
): string {
  const room = length - before.length - behind.length;
  const parts: string[] = [];
  for (let [used, count] = [0, 0]; used + item.length + separator.length <= room && count < countMax; count += 1) {
    const part = (count === 0 ? '' : numbered(separator, count)) + item.replaceAll('~', String(count));
    parts.push(part);
    used += part.length;
  }
  return before + parts.join('') + behind;
}

/** Wrappers within one another, `depth` of them, in each slot over and over. */
function nestings(depth: number, pairs: boolean, places: readonly (typeof slots)[number][]): CostlyFamily[] {
  return wrappers.flatMap((outer, at) =>
    (pairs ? wrappers.filter((_, other) => other !== at) : [outer]).flatMap((inner) =>
      places.flatMap((slot) => {
        const seeds = pairs ? [leaves[(at * 7) % leaves.length] as string] : leaves.slice(0, 3);
        return seeds.map((leaf): CostlyFamily => ({
          name: `${slot[0]}: ${outer.join('…')} ${pairs ? inner.join('…') : ''} of ${leaf}, ${depth} deep`,
          make: (length) =>
            inSlot(
              slot,
              wrapped(
                [outer, inner],
                leaf,
                Math.min(depth, Math.floor(length / (outer.join('').length + inner.join('').length))),
              ),
              length,
            ),
        }));
      }),
    ),
  );
}

/** Plain values in each slot over and over. */
function lists(): CostlyFamily[] {
  return slots.flatMap((slot) =>
    leaves.map((leaf): CostlyFamily => ({
      name: `${slot[0]} of ${leaf}`,
      make: (length) => inSlot(slot, leaf, length),
    })),
  );
}

/** Every family: constructs alone, in pairs, nested, and read out of wide CTEs. */
export function costlyFamilies(): CostlyFamily[] {
  const [select, , , where] = slots as [(typeof slots)[number], unknown, unknown, (typeof slots)[number]];
  return [
    ...readings(0.1),
    ...readings(0.5),
    ...readings(0.9),
    ...doublingFamilies(),
    ...lists(),
    ...nestings(1, false, slots),
    ...nestings(8, false, slots),
    ...nestings(180, false, slots),
    ...nestings(6, true, [select, where]),
    ...nestings(150, true, [select]),
  ];
}
