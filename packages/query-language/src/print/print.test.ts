import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../compile.ts';
import { corpusValues } from '../testing/corpus.ts';

function printed(text: string): { sql: string; params: unknown } {
  const { sql, params } = compileQuery({ text, ...corpusValues, rowsMax: 100 });
  return { sql: sql.replace(/ LIMIT 101$/, ''), params };
}

/** A property of an event's person: in the row, or in the content that the row names. */
function emailOf(row: string): string {
  const [inRow, named, all] = [
    `${row}.\`person_properties\`['email']`,
    `${row}.\`person_content\``,
    "(SELECT groupArray((`id`, `properties`['email'])) FROM analytics.person_contents)",
  ];
  const found = `transform(${named}, tupleElement(${all}, 1), tupleElement(${all}, 2), NULL)`;
  return `if((SELECT count() FROM (SELECT 1 FROM analytics.person_contents LIMIT 1)) = 0, ${inRow}, if(${named} = 0, ${inRow}, ${found}))`;
}

describe('what is printed', () => {
  const cases: [name: string, text: string, sql: string, params?: Record<string, unknown>][] = [
    ['a column', 'select event from events', 'SELECT `__t0`.`event` AS `event` FROM analytics.events AS `__t0`'],
    [
      'a property',
      'select properties.plan from events',
      "SELECT `__t0`.`properties`['plan'] AS `plan` FROM analytics.events AS `__t0`",
    ],
    [
      'a property with any key',
      "select properties['it''s \\\\ é`'] from events",
      "SELECT `__t0`.`properties`['it\\x27s \\x5C \\xC3\\xA9\\x60'] AS `__c0` FROM analytics.events AS `__t0`",
    ],
    [
      'a nested property',
      'select properties.a.b[2].c from events',
      "SELECT JSONExtract(`__t0`.`properties`['a'], 'b', 2, 'c', 'Nullable(String)') AS `c` FROM analytics.events AS `__t0`",
    ],
    [
      'the whole object',
      'select properties from events',
      'SELECT `__t0`.`properties_text` AS `properties` FROM analytics.events AS `__t0`',
    ],
    [
      'keys of language models, which only the text has',
      'select properties.$ai_input, properties.$ai_input.role from events',
      "SELECT JSONExtract(`__t0`.`properties_text`, '$ai_input', 'Nullable(String)') AS `$ai_input`, JSONExtract(`__t0`.`properties_text`, '$ai_input', 'role', 'Nullable(String)') AS `role` FROM analytics.events AS `__t0`",
    ],
    [
      'a property of events with a column of its own',
      "select properties.$ai_trace_id, properties.$ai_trace_id.b, person.properties.$ai_trace_id from events where properties.$ai_trace_id = 't'",
      `SELECT \`__t0\`.\`$ai_trace_id\` AS \`$ai_trace_id\`, JSONExtract(\`__t0\`.\`$ai_trace_id\`, 'b', 'Nullable(String)') AS \`b\`, ${emailOf('`__t0`').replaceAll("'email'", "'$ai_trace_id'")} AS \`__c2\` FROM analytics.events AS \`__t0\` WHERE equals(\`__t0\`.\`$ai_trace_id\`, {p0:String})`,
      { p0: 't' },
    ],
    [
      'the person of an event',
      'select person.id, person.properties.email from events',
      `SELECT \`__t0\`.\`c0\` AS \`id\`, \`__t0\`.\`c1\` AS \`email\` FROM (SELECT if(\`__moved\`.\`__found\` = 1, assumeNotNull(\`__moved\`.\`c0\`), \`__row\`.\`person_id\`) AS \`c0\`, ${emailOf('`__row`')} AS \`c1\` FROM analytics.events AS \`__row\` LEFT ANY JOIN (SELECT \`distinct_id\` AS \`__key\`, 1 AS \`__found\`, toNullable(tupleElement(argMax(tuple(\`person_id\`), \`version\`), 1)) AS \`c0\` FROM analytics.person_overrides GROUP BY \`distinct_id\`) AS \`__moved\` ON \`__row\`.\`distinct_id\` = \`__moved\`.\`__key\`) AS \`__t0\``,
    ],
    [
      'two fields of a joined row',
      'select group_0.properties.name, group_0.created_at, group_0.key from events',
      "SELECT `__t0`.`c0` AS `name`, `__t0`.`c1` AS `created_at`, `__t0`.`c2` AS `key` FROM (SELECT `__group_0`.`c0` AS `c0`, `__group_0`.`c1` AS `c1`, `__row`.`$group_0` AS `c2` FROM analytics.events AS `__row` LEFT ANY JOIN (SELECT `group_key` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`properties`['name'], `created_at`), `version`), 1)) AS `c0`, toNullable(tupleElement(argMax(tuple(`properties`['name'], `created_at`), `version`), 2)) AS `c1` FROM analytics.groups WHERE `group_type_index` = 0 GROUP BY `group_key` HAVING NOT argMax(`is_deleted`, `version`)) AS `__group_0` ON `__row`.`$group_0` = `__group_0`.`__key`) AS `__t0`",
    ],
    [
      "what is found by today's person",
      'select person.created_at from events',
      'SELECT `__t0`.`c0` AS `created_at` FROM (SELECT `__person`.`c0` AS `c0` FROM analytics.events AS `__row` LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0` FROM analytics.person_overrides GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key` LEFT ANY JOIN (SELECT `id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`created_at`), `version`), 1)) AS `c0` FROM analytics.persons GROUP BY `id` HAVING NOT argMax(`is_deleted`, `version`)) AS `__person` ON if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) = `__person`.`__key`) AS `__t0`',
    ],
    [
      'no person, no join',
      'select event, person.properties.email, $group_0 from events',
      `SELECT \`__t0\`.\`event\` AS \`event\`, ${emailOf('`__t0`')} AS \`email\`, \`__t0\`.\`$group_0\` AS \`$group_0\` FROM analytics.events AS \`__t0\``,
    ],
    [
      'groups: the newest version of each key',
      'select index, key, properties.name from groups',
      "SELECT `__t0`.`c0` AS `index`, `__t0`.`c1` AS `key`, `__t0`.`c2` AS `name` FROM (SELECT `group_type_index` AS `c0`, `group_key` AS `c1`, tupleElement(argMax(tuple(`properties`['name']), `version`), 1) AS `c2` FROM analytics.groups GROUP BY `group_type_index`, `group_key` HAVING NOT argMax(`is_deleted`, `version`)) AS `__t0`",
    ],
    [
      'an enum as text',
      'select person_mode from events',
      'SELECT toString(`__t0`.`person_mode`) AS `person_mode` FROM analytics.events AS `__t0`',
    ],
    [
      'every column of *',
      'select * from events',
      'SELECT `__t0`.`c0` AS `uuid`, `__t0`.`c1` AS `event`, `__t0`.`c2` AS `properties`, `__t0`.`c3` AS `timestamp`, `__t0`.`c4` AS `distinct_id`, `__t0`.`c5` AS `elements_chain`, `__t0`.`c6` AS `created_at`, `__t0`.`c7` AS `person_id`, `__t0`.`c8` AS `person_mode`, `__t0`.`c9` AS `$session_id`, `__t0`.`c10` AS `$window_id`, `__t0`.`c11` AS `$group_0`, `__t0`.`c12` AS `$group_1`, `__t0`.`c13` AS `$group_2`, `__t0`.`c14` AS `$group_3`, `__t0`.`c15` AS `$group_4` FROM (SELECT `__row`.`uuid` AS `c0`, `__row`.`event` AS `c1`, `__row`.`properties_text` AS `c2`, `__row`.`timestamp` AS `c3`, `__row`.`distinct_id` AS `c4`, `__row`.`elements_chain` AS `c5`, `__row`.`created_at` AS `c6`, if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c7`, toString(`__row`.`person_mode`) AS `c8`, `__row`.`$session_id` AS `c9`, `__row`.`$window_id` AS `c10`, `__row`.`$group_0` AS `c11`, `__row`.`$group_1` AS `c12`, `__row`.`$group_2` AS `c13`, `__row`.`$group_3` AS `c14`, `__row`.`$group_4` AS `c15` FROM analytics.events AS `__row` LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0` FROM analytics.person_overrides GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t0`',
    ],
    [
      'property with a number',
      'select count() from events where properties.n > 5',
      "SELECT count() AS `__c0` FROM analytics.events AS `__t0` WHERE greater(toFloat64OrNull(`__t0`.`properties`['n']), 5)",
    ],
    [
      'property with a time',
      'select count() from events where properties.at < now()',
      "SELECT count() AS `__c0` FROM analytics.events AS `__t0` WHERE less(parseDateTime64BestEffortOrNull(`__t0`.`properties`['at'], 6, 'UTC'), now64(6, 'UTC'))",
    ],
    [
      'property with text',
      "select count() from events where properties.n = '5'",
      "SELECT count() AS `__c0` FROM analytics.events AS `__t0` WHERE equals(`__t0`.`properties`['n'], {p0:String})",
      { p0: '5' },
    ],
    [
      'property with a boolean',
      'select count() from events where properties.paid = true',
      "SELECT count() AS `__c0` FROM analytics.events AS `__t0` WHERE equals(accurateCastOrNull(`__t0`.`properties`['paid'], 'Bool'), true)",
    ],
    [
      'property as a condition',
      'select count() from events where properties.paid',
      "SELECT count() AS `__c0` FROM analytics.events AS `__t0` WHERE accurateCastOrNull(`__t0`.`properties`['paid'], 'Bool')",
    ],
    [
      'properties calculated',
      'select properties.a + properties.b * 2, -properties.c from events',
      "SELECT plus(toFloat64OrNull(`__t0`.`properties`['a']), multiply(toFloat64OrNull(`__t0`.`properties`['b']), 2)) AS `__c0`, minus(0, toFloat64OrNull(`__t0`.`properties`['c'])) AS `__c1` FROM analytics.events AS `__t0`",
    ],
    [
      'sums of properties',
      'select sum(properties.amount), avgIf(properties.amount, properties.paid) from events',
      "SELECT sum(toFloat64OrNull(`__t0`.`properties`['amount'])) AS `__c0`, avgIf(toFloat64OrNull(`__t0`.`properties`['amount']), accurateCastOrNull(`__t0`.`properties`['paid'], 'Bool')) AS `__c1` FROM analytics.events AS `__t0`",
    ],
    [
      'a time with text',
      "select count() from events where timestamp >= '2026-01-31' and timestamp < '2026-02-01T10:00:00+02:00'",
      "SELECT count() AS `__c0` FROM analytics.events AS `__t0` WHERE and(greaterOrEquals(`__t0`.`timestamp`, {p0:DateTime64(6, 'UTC')}), less(`__t0`.`timestamp`, {p1:DateTime64(6, 'UTC')}))",
      { p0: '2026-01-31 00:00:00.000000', p1: '2026-02-01 08:00:00.000000' },
    ],
    [
      'an id with text',
      "select count() from events where person_id = '00000000-0000-0000-0000-00000000000A'",
      'SELECT count() AS `__c0` FROM (SELECT if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c0` FROM analytics.events AS `__row` LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0` FROM analytics.person_overrides GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t0` WHERE equals(`__t0`.`c0`, {p0:UUID})',
      { p0: '00000000-0000-0000-0000-00000000000a' },
    ],
    [
      'an id with what is none',
      "select count() from events where person_id = 'x'",
      'SELECT count() AS `__c0` FROM (SELECT if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c0` FROM analytics.events AS `__row` LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0` FROM analytics.person_overrides GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t0` WHERE equals(toString(`__t0`.`c0`), {p0:String})',
      { p0: 'x' },
    ],
    [
      '= as a value',
      "select properties.a = 'x' from events",
      "SELECT ifNull(equals(`__t0`.`properties`['a'], {p0:String}), 0) AS `__c0` FROM analytics.events AS `__t0`",
      { p0: 'x' },
    ],
    [
      '!= as a value',
      "select properties.a != 'x' from events",
      "SELECT ifNull(notEquals(`__t0`.`properties`['a'], {p0:String}), 1) AS `__c0` FROM analytics.events AS `__t0`",
      { p0: 'x' },
    ],
    [
      '= in a filter needs no wrapping',
      "select 1 from events where properties.a = 'x'",
      "SELECT 1 AS `__c0` FROM analytics.events AS `__t0` WHERE equals(`__t0`.`properties`['a'], {p0:String})",
      { p0: 'x' },
    ],
    [
      '!= in a filter',
      "select 1 from events where properties.a != 'x'",
      "SELECT 1 AS `__c0` FROM analytics.events AS `__t0` WHERE ifNull(notEquals(`__t0`.`properties`['a'], {p0:String}), 1)",
      { p0: 'x' },
    ],
    [
      '= of two that may be null',
      'select properties.a = properties.b from events',
      "SELECT ifNull(equals(`__t0`.`properties`['a'], `__t0`.`properties`['b']), 0) AS `__c0` FROM analytics.events AS `__t0`",
    ],
    [
      '!= of two that may be null',
      'select properties.a != properties.b from events',
      "SELECT isDistinctFrom(`__t0`.`properties`['a'], `__t0`.`properties`['b']) AS `__c0` FROM analytics.events AS `__t0`",
    ],
    [
      'not like, not a regex',
      "select properties.a not like 'x', properties.a !~ 'x' from events",
      "SELECT ifNull(notLike(`__t0`.`properties`['a'], {p0:String}), 1) AS `__c0`, ifNull(not(match(`__t0`.`properties`['a'], {p0:String})), 1) AS `__c1` FROM analytics.events AS `__t0`",
      { p0: 'x' },
    ],
    [
      'NULL by a variable',
      'select event = {variables.none}, event != {variables.none}, event in {variables.none} from events',
      'SELECT false AS `__c0`, isNotNull(`__t0`.`event`) AS `__c1`, false AS `__c2` FROM analytics.events AS `__t0`',
    ],
    [
      'IS NULL',
      'select properties.a is null, properties.a is not null, event is null from events',
      "SELECT isNull(`__t0`.`properties`['a']) AS `__c0`, isNotNull(`__t0`.`properties`['a']) AS `__c1`, isNull(`__t0`.`event`) AS `__c2` FROM analytics.events AS `__t0`",
    ],
    [
      'between',
      'select properties.n between 1 and 5, properties.n not between 1 and 5 from events',
      "SELECT and(ifNull(greaterOrEquals(toFloat64OrNull(`__t0`.`properties`['n']), 1), 0), ifNull(lessOrEquals(toFloat64OrNull(`__t0`.`properties`['n']), 5), 0)) AS `__c0`, not(and(ifNull(greaterOrEquals(toFloat64OrNull(`__t0`.`properties`['n']), 1), 0), ifNull(lessOrEquals(toFloat64OrNull(`__t0`.`properties`['n']), 5), 0))) AS `__c1` FROM analytics.events AS `__t0`",
    ],
    [
      'IN of texts',
      "select 1 from events where event in ('a', 'b')",
      'SELECT 1 AS `__c0` FROM analytics.events AS `__t0` WHERE in(`__t0`.`event`, {p0:Array(String)})',
      { p0: ['a', 'b'] },
    ],
    [
      'IN of numbers for a property',
      'select 1 from events where properties.n in (1, 2.5)',
      "SELECT 1 AS `__c0` FROM analytics.events AS `__t0` WHERE in(toFloat64OrNull(`__t0`.`properties`['n']), [1, 2.5])",
    ],
    [
      'NOT IN of a property',
      "select 1 from events where properties.a not in ('x', 'y')",
      "SELECT 1 AS `__c0` FROM analytics.events AS `__t0` WHERE ifNull(notIn(`__t0`.`properties`['a'], {p0:Array(String)}), 1)",
      { p0: ['x', 'y'] },
    ],
    [
      'IN of a list variable',
      'select 1 from events where properties.a in {variables.list}',
      "SELECT 1 AS `__c0` FROM analytics.events AS `__t0` WHERE in(`__t0`.`properties`['a'], {p0:Array(String)})",
      { p0: ['p1', 'p2'] },
    ],
    [
      'IN of what is not constant',
      "select event in (distinct_id, 'b') from events",
      'SELECT or(equals(`__t0`.`event`, `__t0`.`distinct_id`), equals(`__t0`.`event`, {p0:String}), 0) AS `__c0` FROM analytics.events AS `__t0`',
      { p0: 'b' },
    ],
    [
      'IN of a query',
      'select 1 from events where person_id in (select id from persons)',
      'SELECT 1 AS `__c0` FROM (SELECT if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c0` FROM analytics.events AS `__row` LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0` FROM analytics.person_overrides GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t0` WHERE in(`__t0`.`c0`, (SELECT `__t1`.`c0` AS `id` FROM (SELECT `id` AS `c0` FROM analytics.persons FINAL WHERE NOT `is_deleted`) AS `__t1`))',
    ],
    [
      'IN of a CTE',
      "with b as (select 'buy' as e) select 1 from events where event in b",
      'WITH `__w0` AS (SELECT {p0:String} AS `e`) SELECT 1 AS `__c0` FROM analytics.events AS `__t1` WHERE in(`__t1`.`event`, (SELECT `__t2`.`e` AS `e` FROM `__w0` AS `__t2`))',
      { p0: 'buy' },
    ],
    [
      'persons: the newest version, without the deleted',
      'select id, created_at from persons',
      'SELECT `__t0`.`c0` AS `id`, `__t0`.`c1` AS `created_at` FROM (SELECT `id` AS `c0`, `created_at` AS `c1` FROM analytics.persons FINAL WHERE NOT `is_deleted`) AS `__t0`',
    ],
    [
      'persons: single properties',
      'select id, properties.email, is_identified from persons',
      "SELECT `__t0`.`c0` AS `id`, `__t0`.`c1` AS `email`, `__t0`.`c2` AS `is_identified` FROM (SELECT `id` AS `c0`, tupleElement(argMax(tuple(`properties`['email'], `is_identified`), `version`), 1) AS `c1`, tupleElement(argMax(tuple(`properties`['email'], `is_identified`), `version`), 2) AS `c2` FROM analytics.persons GROUP BY `id` HAVING NOT argMax(`is_deleted`, `version`)) AS `__t0`",
    ],
    [
      'persons: nothing is read',
      'select count() from persons',
      'SELECT count() AS `__c0` FROM (SELECT 1 AS `__none` FROM analytics.persons FINAL WHERE NOT `is_deleted`) AS `__t0`',
    ],
    [
      'an outer join finds NULL, not an empty text',
      'select e.event, p.id, p.properties.email from events e left join persons p on e.person_id = p.id',
      "SELECT `__t0`.`c0` AS `event`, `__t1`.`c0` AS `id`, `__t1`.`c1` AS `email` FROM (SELECT `__row`.`event` AS `c0`, if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c1` FROM analytics.events AS `__row` LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0` FROM analytics.person_overrides GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t0` LEFT JOIN (SELECT toNullable(`id`) AS `c0`, tupleElement(argMax(tuple(`properties`['email']), `version`), 1) AS `c1` FROM analytics.persons GROUP BY `id` HAVING NOT argMax(`is_deleted`, `version`)) AS `__t1` ON equals(`__t0`.`c1`, `__t1`.`c0`)",
    ],
    [
      'the left side of a right join',
      'select e.event from events e right join persons p on e.person_id = p.id',
      'SELECT `__t0`.`c0` AS `event` FROM (SELECT toNullable(`__row`.`event`) AS `c0`, toNullable(if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`)) AS `c1` FROM analytics.events AS `__row` LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0` FROM analytics.person_overrides GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t0` RIGHT JOIN (SELECT `id` AS `c0` FROM analytics.persons FINAL WHERE NOT `is_deleted`) AS `__t1` ON equals(`__t0`.`c1`, `__t1`.`c0`)',
    ],
    [
      'an inner join',
      'select 1 from events e join persons p on e.person_id = p.id and p.properties.a = e.properties.b',
      "SELECT 1 AS `__c0` FROM (SELECT if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c0`, `__row`.`properties`['b'] AS `c1` FROM analytics.events AS `__row` LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0` FROM analytics.person_overrides GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t0` INNER JOIN (SELECT `id` AS `c0`, tupleElement(argMax(tuple(`properties`['a']), `version`), 1) AS `c1` FROM analytics.persons GROUP BY `id` HAVING NOT argMax(`is_deleted`, `version`)) AS `__t1` ON and(equals(`__t0`.`c0`, `__t1`.`c0`), equals(`__t1`.`c1`, `__t0`.`c1`))",
    ],
    [
      'aliases everywhere',
      'select toDate(timestamp) as day, count() as c from events where day > today() group by day having c > 1 order by c desc nulls last',
      "SELECT toDate(`__t0`.`timestamp`) AS `day`, count() AS `c` FROM analytics.events AS `__t0` WHERE greater(`day`, toDate(now64(6, 'UTC'))) GROUP BY `day` HAVING greater(`c`, 1) ORDER BY `c` DESC NULLS LAST",
    ],
    [
      'an alias that covers a column',
      "select lower(event) as event from events where event = 'x'",
      'SELECT lower(`__t0`.`event`) AS `event` FROM analytics.events AS `__t0` WHERE equals(`event`, {p0:String})',
      { p0: 'x' },
    ],
    [
      'positions',
      'select event, count() from events group by 1 order by 2 desc',
      'SELECT `__t0`.`event` AS `event`, count() AS `__c1` FROM analytics.events AS `__t0` GROUP BY `event` ORDER BY `__c1` DESC',
    ],
    [
      'a later alias',
      'select b + 1 as a, properties.x as b from events',
      "SELECT plus(toFloat64OrNull(`b`), 1) AS `a`, `__t0`.`properties`['x'] AS `b` FROM analytics.events AS `__t0`",
    ],
    [
      'a constant alias is no position',
      'select 5 as five from events group by five',
      'SELECT 5 AS `five` FROM analytics.events AS `__t0` GROUP BY identity(5)',
    ],
    [
      "a sub-query's columns",
      'select x.event, `count()` from (select event, count() from events group by event) as x',
      'SELECT `__t0`.`event` AS `event`, `__t0`.`__c1` AS `__c1` FROM (SELECT `__t1`.`event` AS `event`, count() AS `__c1` FROM analytics.events AS `__t1` GROUP BY `__t1`.`event`) AS `__t0`',
    ],
    [
      'CTEs',
      'with a as (select event from events), b as (select event from a) select count() from b join a on a.event = b.event',
      'WITH `__w1` AS (SELECT `__t0`.`event` AS `event` FROM analytics.events AS `__t0`), `__w3` AS (SELECT `__t2`.`event` AS `event` FROM `__w1` AS `__t2`) SELECT count() AS `__c0` FROM `__w3` AS `__t4` INNER JOIN `__w1` AS `__t5` ON equals(`__t5`.`event`, `__t4`.`event`)',
    ],
    [
      'scalar WITH',
      'with 5 as five, (select count() from events) as n, toDate(timestamp) as d select five, n, d from events',
      'WITH (SELECT count() AS `__c0` FROM analytics.events AS `__t1`) AS `__w2`, toDate(`__t3`.`timestamp`) AS `__w4` SELECT 5 AS `five`, `__w2` AS `n`, `__w4` AS `d` FROM analytics.events AS `__t3`',
    ],
    [
      'CASE',
      "select case when event = 'a' then 1 else 2 end, case event when 'a' then 1 when 'b' then 2 end from events",
      'SELECT if(equals(`__t0`.`event`, {p0:String}), 1, 2) AS `__c0`, caseWithExpression(`__t0`.`event`, {p0:String}, 1, {p1:String}, 2, NULL) AS `__c1` FROM analytics.events AS `__t0`',
      { p0: 'a', p1: 'b' },
    ],
    [
      'CAST',
      "select cast(properties.n as Int), event::float, '2026-01-01'::date, timestamp::String from events",
      "SELECT ifNull(accurateCastOrNull(`__t0`.`properties`['n'], 'Int64'), accurateCastOrNull(trunc(toFloat64OrNull(`__t0`.`properties`['n'])), 'Int64')) AS `__c0`, accurateCastOrNull(`__t0`.`event`, 'Float64') AS `__c1`, toDate({p0:DateTime64(6, 'UTC')}) AS `__c2`, toString(`__t0`.`timestamp`) AS `__c3` FROM analytics.events AS `__t0`",
      { p0: '2026-01-01 00:00:00.000000' },
    ],
    [
      'conversions are the safe ones',
      'select toInt(properties.n), toFloat(event), toDateTime(properties.at), toUUID(event), toInt(1.5) from events',
      "SELECT ifNull(accurateCastOrNull(`__t0`.`properties`['n'], 'Int64'), accurateCastOrNull(trunc(toFloat64OrNull(`__t0`.`properties`['n'])), 'Int64')) AS `__c0`, accurateCastOrNull(`__t0`.`event`, 'Float64') AS `__c1`, parseDateTime64BestEffortOrNull(`__t0`.`properties`['at'], 6, 'UTC') AS `__c2`, accurateCastOrNull(`__t0`.`event`, 'UUID') AS `__c3`, accurateCastOrNull(trunc(1.5), 'Int64') AS `__c4` FROM analytics.events AS `__t0`",
    ],
    [
      'lambdas',
      "select arrayMap((x, i) -> x * i, [1, 2], [3, 4]), arrayFilter(x -> x != '', splitByChar(',', event)) from events",
      'SELECT arrayMap((`__x1`, `__x2`) -> multiply(`__x1`, `__x2`), array(1, 2), array(3, 4)) AS `__c0`, arrayFilter((`__x3`) -> notEquals(`__x3`, {p0:String}), splitByChar({p1:String}, `__t0`.`event`)) AS `__c1` FROM analytics.events AS `__t0`',
      { p0: '', p1: ',' },
    ],
    [
      'aggregates',
      "select count(*), count(distinct event), quantile(0.9)(properties.n), uniqIf(person_id, event = 'a'), topK(3)(event) from events",
      "SELECT count() AS `__c0`, count(DISTINCT `__t0`.`c0`) AS `__c1`, quantile(0.9)(toFloat64OrNull(`__t0`.`c1`)) AS `__c2`, uniqIf(`__t0`.`c2`, equals(`__t0`.`c0`, {p0:String})) AS `__c3`, topK(3)(`__t0`.`c0`) AS `__c4` FROM (SELECT `__row`.`event` AS `c0`, `__row`.`properties`['n'] AS `c1`, if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c2` FROM analytics.events AS `__row` LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0` FROM analytics.person_overrides GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t0`",
      { p0: 'a' },
    ],
    [
      'text joins, where a missing part is empty',
      "select event || '-' || properties.a, properties.a ?? 'none' from events",
      "SELECT concat(`__t0`.`event`, {p0:String}, ifNull(`__t0`.`properties`['a'], '')) AS `__c0`, ifNull(`__t0`.`properties`['a'], {p1:String}) AS `__c1` FROM analytics.events AS `__t0`",
      { p0: '-', p1: 'none' },
    ],
    [
      'intervals',
      'select now() - interval 7 day, timestamp + interval 1 month from events',
      "SELECT minus(now64(6, 'UTC'), toIntervalDay(7)) AS `__c0`, plus(`__t0`.`timestamp`, toIntervalMonth(1)) AS `__c1` FROM analytics.events AS `__t0`",
    ],
    [
      'UNION ALL',
      "select event from events union all select 'x' limit 5",
      'SELECT * FROM ((SELECT `__t0`.`event` AS `event` FROM analytics.events AS `__t0`) UNION ALL (SELECT {p0:String} AS `__c0` LIMIT 5))',
      { p0: 'x' },
    ],
    [
      'ARRAY JOIN, under a name of ours',
      'select n from events left array join [1] as n where n > 0',
      'SELECT `__a1` AS `n` FROM analytics.events AS `__t0` LEFT ARRAY JOIN array(1) AS `__a1` WHERE greater(`__a1`, 0)',
    ],
    [
      'USING, as ON',
      'select event from events a any left join (select event from events) b using (event)',
      'SELECT `__t0`.`event` AS `event` FROM analytics.events AS `__t0` LEFT ANY JOIN (SELECT toNullable(`event`) AS `__n0` FROM (SELECT `__t2`.`event` AS `event` FROM analytics.events AS `__t2`)) AS `__t1` ON equals(`__t0`.`event`, `__t1`.`__n0`)',
    ],
    [
      'a window with a name, once',
      'select rank() over w, count() over w from events window w as (order by event), unused as (order by uuid)',
      'SELECT rank() OVER `__n1` AS `__c0`, count() OVER `__n1` AS `__c1` FROM analytics.events AS `__t0` WINDOW `__n1` AS (ORDER BY `__t0`.`event` ASC)',
    ],
    [
      'set operations, each with its second word',
      'select 1 union select 2 intersect select 3 except select 4',
      'SELECT * FROM ((SELECT 1 AS `__c0`) UNION DISTINCT (SELECT 2 AS `__c0`) INTERSECT ALL (SELECT 3 AS `__c0`) EXCEPT ALL (SELECT 4 AS `__c0`))',
    ],
    [
      'ROLLUP, whose keys can be NULL',
      "select event, upper(coalesce(properties.a, 'x')), grouping(event) from events group by rollup(event, coalesce(properties.a, 'x'))",
      "SELECT toNullable(`__t0`.`event`) AS `event`, upper(toNullable(coalesce(`__t0`.`properties`['a'], {p0:String}))) AS `__c1`, grouping(toNullable(`__t0`.`event`)) AS `__c2` FROM analytics.events AS `__t0` GROUP BY ROLLUP(toNullable(`__t0`.`event`), toNullable(coalesce(`__t0`.`properties`['a'], {p0:String})))",
      { p0: 'x' },
    ],
    [
      'what stands before the groups reads columns as they are',
      "select event, count() from events where event != '' group by rollup(event)",
      'SELECT toNullable(`__t0`.`event`) AS `event`, count() AS `__c1` FROM analytics.events AS `__t0` WHERE notEquals(`__t0`.`event`, {p0:String}) GROUP BY ROLLUP(toNullable(`__t0`.`event`))',
      { p0: '' },
    ],
    [
      'ARRAY JOIN under ROLLUP: the array is of what is stored, its items can be NULL',
      "select tag, splitByChar('-', tag) from events array join splitByChar(',', event) as tag where tag != '' group by rollup(tag)",
      "SELECT toNullable(`__a1`) AS `tag`, splitByChar({p0:String}, ifNull(toNullable(`__a1`), '')) AS `__c1` FROM analytics.events AS `__t0` ARRAY JOIN splitByChar({p2:String}, `__t0`.`event`) AS `__a1` WHERE notEquals(`__a1`, {p1:String}) GROUP BY ROLLUP(toNullable(`__a1`))",
      { p0: '-', p1: '', p2: ',' },
    ],
    [
      'a position that is a constant opens no other constant',
      'select 5 as a, round(properties.n, 5) as r from events where properties.n > 5 group by rollup(1, 2)',
      "SELECT 5 AS `a`, round(toFloat64OrNull(`__t0`.`properties`['n']), 5) AS `r` FROM analytics.events AS `__t0` WHERE greater(toFloat64OrNull(`__t0`.`properties`['n']), 5) GROUP BY ROLLUP(`a`, `r`)",
    ],
    [
      'an alias and a WITH in a filter before groups are what is stored',
      "with lower(distinct_id) as who select toDate(timestamp) as day, day as again, who from events where again > '2026-01-01' and who != '' group by rollup(day, who)",
      'WITH lower(toNullable(`__t0`.`distinct_id`)) AS `__w1` SELECT toDate(toNullable(`__t0`.`timestamp`)) AS `day`, `day` AS `again`, `__w1` AS `who` FROM analytics.events AS `__t0` WHERE and(greater(toDate(`__t0`.`timestamp`), {p0:Date}), ifNull(notEquals(lower(`__t0`.`distinct_id`), {p1:String}), 1)) GROUP BY ROLLUP(`day`, `__w1`)',
      { p0: '2026-01-01', p1: '' },
    ],
    [
      'a key that is never NULL is filtered as it is',
      "select count() from events where coalesce(properties.a, 'x') = 'y' group by rollup(coalesce(properties.a, 'x'))",
      "SELECT count() AS `__c0` FROM analytics.events AS `__t0` WHERE equals(coalesce(`__t0`.`properties`['a'], {p0:String}), {p1:String}) GROUP BY ROLLUP(toNullable(coalesce(`__t0`.`properties`['a'], {p0:String})))",
      { p0: 'x', p1: 'y' },
    ],
    [
      'GROUPING SETS',
      'select count() from events group by grouping sets ((event), ())',
      'SELECT count() AS `__c0` FROM analytics.events AS `__t0` GROUP BY GROUPING SETS ((toNullable(`__t0`.`event`)), ())',
    ],
    [
      'WITH FILL, with bounds of the type of the column',
      "select timestamp as t, 1 as x from events order by t with fill from '2026-01-01' step 60 interpolate (x)",
      "SELECT toDateTime64(`__t0`.`timestamp`, 6) AS `t`, 1 AS `x` FROM analytics.events AS `__t0` ORDER BY `t` ASC WITH FILL FROM toDateTime64({p0:DateTime64(6, 'UTC')}, 6, 'UTC') STEP toIntervalSecond(60) INTERPOLATE (`x`)",
      { p0: '2026-01-01 00:00:00.000000' },
    ],
    [
      'INTERPOLATE without a list, of all columns that the rows are not sorted by: the engine ignores it in a sub-query',
      'select length(event) as l, lower(event) as e, 1 as x, 2 as y from events order by lower(event), l with fill interpolate',
      'SELECT length(`__t0`.`event`) AS `l`, lower(`__t0`.`event`) AS `e`, 1 AS `x`, 2 AS `y` FROM analytics.events AS `__t0` ORDER BY lower(`__t0`.`event`) ASC, `l` ASC WITH FILL INTERPOLATE (`x`, `y`)',
    ],
    [
      'WITH RECURSIVE, from numbers of 64 bits',
      'with recursive t as (select 1 as n union all select n + 1 from t) select n from t',
      'WITH RECURSIVE `__w0` AS ((SELECT toNullable(toInt64(1)) AS `n`) UNION ALL (SELECT plus(`__t1`.`n`, 1) AS `__c0` FROM `__w0` AS `__t1`)) SELECT `__t2`.`n` AS `n` FROM `__w0` AS `__t2`',
    ],
    ['numbers', 'select number from numbers(3)', 'SELECT `__t0`.`number` AS `number` FROM numbers(3) AS `__t0`'],
    [
      'exists',
      'select 1 from events where exists (select 1 from persons)',
      'SELECT 1 AS `__c0` FROM analytics.events AS `__t0` WHERE exists(SELECT 1 AS `__c0` FROM (SELECT 1 AS `__none` FROM analytics.persons FINAL WHERE NOT `is_deleted`) AS `__t1`)',
    ],
  ];

  test.each(cases.map(([name, text, sql, params = {}]) => ({ name, text, expected: { sql, params } })))(
    '$name',
    ({ text, expected }) => {
      expect(printed(text)).toEqual(expected);
    },
  );

  test('the same value is one parameter, so that an expression in SELECT equals itself in GROUP BY', () => {
    const { sql, params } = printed("select concat(event, 'x') from events group by concat(event, 'x')");
    expect(sql).toContain('concat(`__t0`.`event`, {p0:String}) AS');
    expect(sql).toContain('GROUP BY concat(`__t0`.`event`, {p0:String})');
    expect(params).toEqual({ p0: 'x' });
  });

  test('texts never stand in the SQL, whatever they hold', () => {
    const { sql } = printed(String.raw`select 'a''; drop table x; --', '\\', '{p0:String}', {variables.nasty}`);
    expect(sql).toBe(
      'SELECT {p0:String} AS `__c0`, {p1:String} AS `__c1`, {p2:String} AS `__c2`, {p3:String} AS `__c3`',
    );
  });
});
