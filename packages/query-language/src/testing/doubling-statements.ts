import type { CostlyFamily } from './costly-family.ts';

// Each part names the one before twice: # is the number of a part, @ of the one before.
const doublings: readonly (readonly [name: string, before: string, part: string, behind: string])[] = [
  [
    'tuples in CTEs',
    'with w0 as (select (event, 1) as t from events)',
    ', w# as (select (t, t) as t from w@)',
    ' select 1',
  ],
  ['tuples in WITH', 'with (1, 2) as t0', ', (t@, t@) as t#', ' select 1'],
  ['tuples as aliases', 'select (event, 1) as t0', ', (t@, t@) as t#', ' from events'],
  [
    'lists of tuples',
    'with w0 as (select event as t from events)',
    ', w# as (select [(t, t)] as t from w@)',
    ' select 1',
  ],
  [
    'tuples in a union',
    'with w0 as (select (event, 1) as t from events)',
    ', w# as (select (t, t) as t from w@ union all select (t, t) from w@)',
    ' select 1',
  ],
  [
    'tuples put together',
    'with w0 as (select (event, 1) as t from events)',
    ', w# as (select tupleConcat(t, t) as t from w@)',
    ' select 1',
  ],
  ['maps', "with w0 as (select map('a', 1) as t)", ", w# as (select map('a', t, 'b', t) as t from w@)", ' select 1'],
  ['texts', 'with w0 as (select event as t from events)', ', w# as (select t || t as t from w@)', ' select 1'],
  [
    'lists put together',
    'with w0 as (select [event] as t from events)',
    ', w# as (select arrayConcat(t, t) as t from w@)',
    ' select 1',
  ],
];

/** Values that are twice in the next one, over and over: visiting them as a tree never ends. */
export function doublingFamilies(): CostlyFamily[] {
  return doublings.map(([name, before, part, behind]) => ({
    name: `doubled ${name}`,
    make: (length) => {
      let text = before;
      for (let number = 1; ; number += 1) {
        const next = part.replaceAll('#', String(number)).replaceAll('@', String(number - 1));
        if (text.length + next.length + behind.length > length) return text + behind;
        text += next;
      }
    },
  }));
}
