import { describe, expect, test } from '@jest/globals';
import { parseSelect } from '../parse.ts';
import type { Expression } from '../tree/expressions.ts';
import { writeExpression, writeStatement } from './write-statement.ts';

const written = (text: string): string => writeStatement(parseSelect(text));

describe('the text itself', () => {
  const expression = (text: string): string => written(`select ${text}`).slice('SELECT '.length);

  test.each([
    ['a+b*c - (d-e)', 'a + b * c - (d - e)'],
    ['((a+b)+c)', 'a + b + c'],
    ['a+(b+c)', 'a + (b + c)'],
    ['(a + b) * -c % 2', '(a + b) * -c % 2'],
    ['- -5, 0 - x, -(a*b), - - x, 0 - 5', '-(-5), -x, -(a * b), -(-x), -(5)'],
    ['(a and b) and (c or (d or e)) or f', 'a AND b AND (c OR d OR e) OR f'],
    ['not a = b and not (a or b)', 'NOT a = b AND not(a OR b)'],
    ['NOT (a = b)', 'NOT (a = b)'],
    ['not(a), not(a, b)', 'not(a), not(a, b)'],
    ['(not a) = b', '(NOT a) = b'],
    ['a == b, a <> b, a is null, a is not null, a = null', 'a = b, a != b, a IS NULL, a IS NOT NULL, a = NULL'],
    ['(a = b) is null, a = (b is null)', 'a = b IS NULL, a = (b IS NULL)'],
    [
      'a between b and c and d, a not between (b and c) and (d between e and f)',
      'a BETWEEN b AND c AND d, a NOT BETWEEN (b AND c) AND (d BETWEEN e AND f)',
    ],
    ['a is not distinct from b, a <=> b', 'a IS NOT DISTINCT FROM b, a IS NOT DISTINCT FROM b'],
    [
      'a in (1), a not in (1, 2), a in [1], a in {variables.x}, a in b',
      'a IN (1), a NOT IN (1, 2), a IN [1], a IN ({variables.x}), a IN b',
    ],
    ['a in (select 1), a in cohort 5, a in (cohort)', 'a IN (SELECT 1), a IN COHORT 5, a IN (cohort)'],
    ['a like b, a not ilike b, a =~ b, a !~* b', 'a LIKE b, a NOT ILIKE b, a =~ b, a !~* b'],
    ['a || b || c, a ?? b, a ? b : c, a && b', 'concat(a, b, c), ifNull(a, b), if(a, b, c), a && b'],
    [
      'case when a then b end, case a when 1 then 2 when 3 then 4 else 5 end',
      'if(a, b, NULL), CASE a WHEN 1 THEN 2 WHEN 3 THEN 4 ELSE 5 END',
    ],
    [
      "interval 7 days, interval '1 day 2 hours', interval a month",
      'INTERVAL 7 DAY, INTERVAL 1 DAY + INTERVAL 2 HOUR, toIntervalMonth(a)',
    ],
    [
      "a::Array(String), try_cast(a as int), cast(a, 'Int64')",
      "CAST(a AS array(string)), TRY_CAST(a AS int), cast(a, 'Int64')",
    ],
    [
      "a.b.c, a['b'], a.1, a[1], a[1:2], a[:2], a?.b, f(a).b",
      "a.b.c, a['b'], a.1, a[1], a[1:2], a[:2], a?.['b'], f(a)['b']",
    ],
    ['[1, 2][1], (1, 2).1, (a + b)[1], {x}.1', '[1, 2][1], (1, 2).1, (a + b)[1], {x}.1'],
    ["{'a': 1}, {}, (1,), [], [[]]", "{'a': 1}, {}, (1,), [], [[]]"],
    [
      '1e3, 1.50, 0x1F, 1e21, 18446744073709551615, -9223372036854775808, .5',
      '1000, 1.5, 31, 1e+21, 18446744073709551615, -9223372036854775808, 0.5',
    ],
    ['9007199254740992.0', '9.007199254740992e+15'],
    [
      'arrayMap(x -> x + 1, [1]), arrayMap((x, y) -> x, a, b), arrayMap(x -> 1, a)',
      'arrayMap(x -> x + 1, [1]), arrayMap((x, y) -> x, a, b), arrayMap((x) -> 1, a)',
    ],
    [
      'count(), count(distinct a), quantile(0.9)(a), sum(a) filter (where b)',
      'count(), count(DISTINCT a), quantile(0.9)(a), sum(a) FILTER (WHERE b)',
    ],
    [
      'groupArray(a order by b desc), quantile(0.5) within group (order by a), any(a ignore nulls)',
      'groupArray(a ORDER BY b DESC), quantile(0.5) WITHIN GROUP (ORDER BY a), any(a) IGNORE NULLS',
    ],
    [
      'lag(a, 1) over (partition by b order by c desc nulls last rows between 1 preceding and current row)',
      'lag(a, 1) OVER (PARTITION BY b ORDER BY c DESC NULLS LAST ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
    ],
    [
      'quantile(0.9)(a) over w, count() over (rows unbounded preceding)',
      'quantile(0.9)(a) OVER w, count() OVER (ROWS UNBOUNDED PRECEDING)',
    ],
    [
      'exists(select 1), (select 1) + 1, a = (select 1 union all select 2)',
      'EXISTS (SELECT 1), (SELECT 1) + 1, a = (SELECT 1 UNION ALL SELECT 2)',
    ],
    ['a as b, (a as b) + 1, f(a as b)', 'a AS b, (a AS b) + 1, f(a AS b)'],
    [
      "*, e.*, * except (a, `b c`), columns('a.*'), columns(a, b), e.* exclude a",
      "*, e.*, * EXCEPT (a, `b c`), COLUMNS('a.*'), COLUMNS(a, b), e.* EXCEPT (a)",
    ],
    ['true, FALSE, null', 'true, false, NULL'],
  ])('%s', (text, expected) => expect(expression(text)).toBe(expected));

  test.each([
    ["'it''s', 'a\\\\b', '\\d', 'a\\nb'", "'it\\'s', 'a\\\\b', '\\\\d', 'a\\nb'"],
    ["'a\nb\tc', '\\0', '\"`', ''", "'a\\nb\\tc', '\\0', '\"`', ''"],
    ["'\u00e9\u{1F642}'", "'\u00e9\u{1F642}'"],
    ['`a b`, `from`, `left`, `null`, `inf`, `a``b`, "a"', '`a b`, `from`, `left`, `null`, `inf`, `a\\`b`, "a"'],
    ['$browser, properties.`a-b`.from, properties.$os, `1a`', '$browser, properties.`a-b`.from, properties.$os, `1a`'],
    ['a as `from`, a as "x y", a as \'z\'', 'a AS `from`, a AS `x y`, a AS z'],
    [
      '`select`(a), `columns`(a), `interval`(a), left(a, 1), `a b`(c)',
      '`select`(a), `columns`(a), `interval`(a), left(a, 1), `a b`(c)',
    ],
    ['{variables.from}, {variables.`a b`}, {x}', '{variables.from}, {variables.`a b`}, {x}'],
  ])('quotes and escapes: %s', (text, expected) => expect(expression(text)).toBe(expected));

  test.each([
    [
      'select distinct a from t as x final prewhere a where b group by c having d qualify f window w as () order by e limit 3 offset 4',
      'SELECT DISTINCT a FROM t AS x FINAL PREWHERE a WHERE b GROUP BY c HAVING d WINDOW w AS () QUALIFY f ORDER BY e LIMIT 3 OFFSET 4',
    ],
    [
      'with a as (select 1), 2 as b, c(d, e) as (select 1, 2) select 1',
      'WITH a AS (SELECT 1), 2 AS b, c(d, e) AS (SELECT 1, 2) SELECT 1',
    ],
    [
      'with recursive a as (select 1 union all select * from a) select 1',
      'WITH RECURSIVE a AS (SELECT 1 UNION ALL SELECT * FROM a) SELECT 1',
    ],
    [
      'select 1 from a, b left outer join c on a.x = c.x and d asof join e using (f) natural join g',
      'SELECT 1 FROM a CROSS JOIN b LEFT OUTER JOIN c ON a.x = c.x AND d ASOF INNER JOIN e USING (f) NATURAL JOIN g',
    ],
    [
      'select 1 from a join b using f, g join (select 1) c(d) on 1',
      'SELECT 1 FROM a JOIN b USING (f, g) JOIN (SELECT 1) AS c(d) ON 1',
    ],
    [
      'select 1 from numbers(5) n left array join [1] as x, y as z',
      'SELECT 1 FROM numbers(5) AS n LEFT ARRAY JOIN [1] AS x, y AS z',
    ],
    ['select 1 group by rollup(a, b)', 'SELECT 1 GROUP BY ROLLUP (a, b)'],
    ['select 1 group by a, b with cube', 'SELECT 1 GROUP BY CUBE (a, b)'],
    ['select 1 group by grouping sets ((a, b), ())', 'SELECT 1 GROUP BY GROUPING SETS ((a, b), ())'],
    ['select 1 group by all', 'SELECT 1 GROUP BY ALL'],
    [
      'select a order by a with fill from 1 to 5 step 2, b desc interpolate (c as c + 1, d)',
      'SELECT a ORDER BY a WITH FILL FROM 1 TO 5 STEP 2, b DESC INTERPOLATE (c AS c + 1, d)',
    ],
    ['select a limit 2 offset 1 by b, c limit 5 with ties', 'SELECT a LIMIT 2 OFFSET 1 BY b, c LIMIT 5 WITH TIES'],
    ['select distinct on (a) b order by c', 'SELECT b ORDER BY c LIMIT 1 BY a'],
    ['select a limit 3, 4', 'SELECT a LIMIT 4 OFFSET 3'],
    [
      '(select 1 union select 2) except (select 3 intersect all select 4)',
      '(SELECT 1 UNION DISTINCT SELECT 2) EXCEPT (SELECT 3 INTERSECT ALL SELECT 4)',
    ],
    ['(select 1 union all select 2) limit 3', '(SELECT 1 UNION ALL SELECT 2) LIMIT 3'],
    ['(select 1) offset 3', 'SELECT 1 OFFSET 3'],
    [
      "values (1, 'a'), (2, 'b')",
      "SELECT column1, column2 FROM numbers(1) ARRAY JOIN [1, 2] AS column1, ['a', 'b'] AS column2",
    ],
    ['select * from {t} x', 'SELECT * FROM {t} AS x'],
  ])('%s', (text, expected) => expect(written(text)).toBe(expected));
});

describe('what only code makes', () => {
  const at = { start: 0, end: 0 };
  const [a, b, c] = ['a', 'b', 'c'].map((name): Expression => ({ node: 'Field', chain: [name], ...at })) as [
    Expression,
    Expression,
    Expression,
  ];

  test.each<[Expression, string]>([
    [{ node: 'Not', expr: { node: 'Or', exprs: [a, b], ...at }, ...at }, 'NOT (a OR b)'],
    [{ node: 'And', exprs: [{ node: 'And', exprs: [a, b], ...at }, c], ...at }, 'a AND b AND c'],
    [{ node: 'And', exprs: [a], ...at }, 'a'],
    [{ node: 'And', exprs: [], ...at }, 'true'],
    [{ node: 'Or', exprs: [], ...at }, 'false'],
    [{ node: 'ReadAs', type: 'number', expr: a, ...at }, 'toFloat(a)'],
    [{ node: 'ReadAs', type: 'time', expr: a, ...at }, 'toDateTime(a)'],
    [{ node: 'ReadAs', type: 'stored', expr: a, ...at }, 'toString(a)'],
    [{ node: 'Field', chain: ['a'], from: 1, ...at }, 'a'],
    [{ node: 'Constant', value: -0, ...at }, '0'],
  ])('is written as what means the same: %#', (expr, expected) => expect(writeExpression(expr)).toBe(expected));

  test('or refused, where no text means it', () => {
    expect(() => writeExpression({ node: 'TextSearch', search: 'contains', text: a, sought: [b], ...at })).toThrow(
      'no text',
    );
    expect(() => writeExpression({ node: 'RowCondition', expr: a, from: 0, text: 'a', ...at })).toThrow('no text');
    expect(() => writeExpression({ node: 'ReadAs', type: 'version', expr: a, ...at })).toThrow('no text');
    expect(() => writeExpression({ node: 'Constant', value: Infinity, ...at })).toThrow('not finite');
  });
});
