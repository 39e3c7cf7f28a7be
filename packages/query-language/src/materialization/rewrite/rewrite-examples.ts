import type { PlannedVariable } from '../plan.ts';

/** Variables of the examples. */
export const rewriteVariables: readonly PlannedVariable[] = [
  { name: 'v', type: 'String' },
  { name: 'w', type: 'String' },
  { name: 'n', type: 'Number' },
  { name: 'day', type: 'Date' },
  { name: 'list', type: 'List' },
  { name: 'any', type: 'Any' },
];

/** A query, what it becomes, and the names of the rules that make it so, in order. */
export interface RewriteExample {
  text: string;
  becomes: string;
  rules: readonly string[];
}

const where = (condition: string): string => `SELECT count() FROM events WHERE ${condition}`;
const option = (name: string, comparison: string): string => `coalesce({variables.${name}}, '') = '' OR ${comparison}`;

/** Each is the same query, whatever the values of its variables. */
export const rewriteExamples: readonly RewriteExample[] = [
  ...[
    ["NOT (event = 'a' OR event NOT LIKE {variables.v})", "NOT event = 'a' AND event LIKE {variables.v}"],
    [
      "not(or(event = 'a', properties.plan ilike {variables.v}))",
      "NOT event = 'a' AND properties.plan NOT ILIKE {variables.v}",
    ],
    ['NOT (NOT event = {variables.v})', 'event = {variables.v}'],
    ['NOT event NOT LIKE {variables.v}', 'event LIKE {variables.v}'],
    ["NOT (event = 'a' OR event = {variables.v})", "NOT event = 'a' AND NOT event = {variables.v}"],
    [
      "event = 'a' AND NOT (event = 'b' OR properties.plan NOT LIKE {variables.v})",
      "event = 'a' AND NOT event = 'b' AND properties.plan LIKE {variables.v}",
    ],
    [
      "NOT ({variables.v} IS NOT NULL AND {variables.v} != '' AND properties.plan NOT LIKE {variables.v})",
      `${option('v', 'properties.plan LIKE {variables.v}')}`,
      'negations',
      'optional-comparison',
    ],
    [
      "NOT (coalesce({variables.v}, '') != '' AND event NOT LIKE {variables.v})",
      option('v', 'event LIKE {variables.v}'),
    ],
  ].map(([text = '', becomes = '', ...rules]) => ({
    text: where(text),
    becomes: where(becomes),
    rules: rules.length > 0 ? rules : ['negations'],
  })),
  ...[
    ['properties.n BETWEEN {variables.n} AND 5', 'properties.n >= {variables.n} AND properties.n <= 5'],
    [
      "event = 'a' AND timestamp BETWEEN {variables.day} AND now()",
      "event = 'a' AND timestamp >= {variables.day} AND timestamp <= now()",
    ],
  ].map(([text = '', becomes = '']) => ({ text: where(text), becomes: where(becomes), rules: ['bounds'] })),
  ...[
    ['event IN ({variables.v})', 'event = {variables.v}'],
    ['event IN [{variables.v}]', 'event = {variables.v}'],
    ['event IN tuple({variables.v})', 'event = {variables.v}'],
    ['in(properties.n, {variables.n})', 'properties.n = {variables.n}'],
    [option('v', 'event IN ({variables.v})'), option('v', 'event = {variables.v}')],
  ].map(([text = '', becomes = '']) => ({ text: where(text), becomes: where(becomes), rules: ['single-member'] })),
  ...[
    ["{variables.v} IS NULL OR {variables.v} = '' OR event = {variables.v}", 'v', 'event = {variables.v}'],
    ["event = {variables.v} OR '' = {variables.v} OR isNull({variables.v})", 'v', 'event = {variables.v}'],
    ['{variables.v} IS NULL OR empty({variables.v}) OR event LIKE {variables.v}', 'v', 'event LIKE {variables.v}'],
    ['{variables.v} = NULL OR length({variables.v}) = 0 OR event = {variables.v}', 'v', 'event = {variables.v}'],
    ["ifNull({variables.v}, '') = '' OR event = {variables.v}", 'v', 'event = {variables.v}'],
    ["({variables.v} ?? '') = '' OR event = {variables.v}", 'v', 'event = {variables.v}'],
    ["event = {variables.v} OR coalesce({variables.v}, '') = ''", 'v', 'event = {variables.v}'],
    ["empty(coalesce({variables.v}, '')) OR event = {variables.v}", 'v', 'event = {variables.v}'],
    ["nullIf({variables.v}, '') IS NULL OR event = {variables.v}", 'v', 'event = {variables.v}'],
    ['{variables.n} IS NULL OR properties.n >= {variables.n}', 'n', 'properties.n >= {variables.n}'],
    ['{variables.day} IS NULL OR timestamp >= {variables.day}', 'day', 'timestamp >= {variables.day}'],
    [
      "or(ifNull({variables.v}, '') = '', event IN splitByChar(',', {variables.v}))",
      'v',
      "event IN splitByChar(',', {variables.v})",
    ],
  ].map(([text = '', name = '', comparison = '']) => ({
    text: where(text),
    becomes: where(option(name, comparison)),
    rules: ['optional-comparison'],
  })),
  ...[
    [
      'SELECT event, count() FROM events GROUP BY event HAVING event = {variables.v}',
      'SELECT event, count() FROM events WHERE event = {variables.v} GROUP BY event',
    ],
    [
      "SELECT event, count() FROM events WHERE event != 'a' GROUP BY event HAVING event = {variables.v} AND count() > 1",
      "SELECT event, count() FROM events WHERE event != 'a' AND event = {variables.v} GROUP BY event HAVING count() > 1",
    ],
    [
      'SELECT toDate(timestamp) AS day, count()+1 FROM events GROUP BY day HAVING day >= toDate({variables.day})',
      'SELECT toDate(timestamp) AS day, count()+1 FROM events WHERE toDate(timestamp) >= toDate({variables.day}) GROUP BY day',
    ],
    [
      'SELECT lower(event), count() FROM events GROUP BY 1 HAVING lower(event) LIKE {variables.v}',
      'SELECT lower(event), count() FROM events WHERE lower(event) LIKE {variables.v} GROUP BY 1',
    ],
    [
      `SELECT properties.plan AS plan, count() FROM events GROUP BY plan HAVING ${option('v', 'upper(plan) = {variables.v}')}`,
      `SELECT properties.plan AS plan, count() FROM events WHERE ${option('v', 'upper(properties.plan) = {variables.v}')} GROUP BY plan`,
    ],
    [
      'WITH daily AS (SELECT event, count() AS c FROM events GROUP BY event HAVING event = {variables.v}) SELECT sum(c) FROM daily',
      'WITH daily AS (SELECT event, count() AS c FROM events WHERE event = {variables.v} GROUP BY event) SELECT sum(c) FROM daily',
    ],
  ].map(([text = '', becomes = '']) => ({ text, becomes, rules: ['having-keys'] })),
  {
    text: 'SELECT event, count() FROM events GROUP BY event HAVING NOT (event NOT LIKE {variables.v})',
    becomes: 'SELECT event, count() FROM events WHERE event LIKE {variables.v} GROUP BY event',
    rules: ['having-keys', 'negations'],
  },
  ...[
    [
      'SELECT count() FROM events AS e JOIN persons AS p ON e.person_id = p.id AND e.event = {variables.v}',
      'SELECT count() FROM events AS e JOIN persons AS p ON e.person_id = p.id WHERE e.event = {variables.v}',
    ],
    [
      "SELECT count() FROM events AS e INNER JOIN persons AS p ON e.person_id = p.id AND p.properties.plan = {variables.v} WHERE e.event = 'a'",
      "SELECT count() FROM events AS e INNER JOIN persons AS p ON e.person_id = p.id WHERE e.event = 'a' AND p.properties.plan = {variables.v}",
    ],
    [
      'SELECT count() FROM events JOIN persons ON person_id = persons.id AND event = {variables.v}',
      'SELECT count() FROM events JOIN persons ON person_id = persons.id WHERE event = {variables.v}',
    ],
    [
      'SELECT count() FROM events AS e JOIN persons AS p ON e.person_id = p.id AND e.event = {variables.v} LEFT JOIN persons AS q ON q.id = p.id',
      'SELECT count() FROM events AS e JOIN persons AS p ON e.person_id = p.id LEFT JOIN persons AS q ON q.id = p.id WHERE e.event = {variables.v}',
    ],
    [
      'SELECT count() FROM persons AS q LEFT JOIN events AS e ON q.id = e.person_id JOIN persons AS p ON e.person_id = p.id AND e.event = {variables.v}',
      'SELECT count() FROM persons AS q LEFT JOIN events AS e ON q.id = e.person_id JOIN persons AS p ON e.person_id = p.id WHERE e.event = {variables.v}',
    ],
  ].map(([text = '', becomes = '']) => ({ text, becomes, rules: ['inner-join-conditions'] })),
];

/** Queries next to the examples that stay as they are, with the reason. */
export const rewriteNeighbours: readonly (readonly [why: string, text: string])[] = [
  ['no variable inside', where("NOT (event = 'a' OR event = 'b') AND event = {variables.v}")],
  ['!= of two NULLs is false, and so is =', where('NOT (properties.plan != {variables.v})')],
  ['no opposite of NULL', where('NOT (properties.n >= {variables.n})')],
  ['an alternative that NOT would stay in', where("NOT (event = 'a' AND event = {variables.v})")],
  ['NOT of what is no comparison', where('NOT has(properties.tags, {variables.v})')],
  ['a NOT BETWEEN is an alternative', where('properties.n NOT BETWEEN {variables.n} AND 5')],
  ['NOT IN', where('event NOT IN ({variables.v})')],
  ['a list', where('event IN ({variables.list})')],
  ['perhaps a list', where('event IN ({variables.any})')],
  ['not declared', where('event IN ({variables.unknown})')],
  ['two members', where('event IN ({variables.v}, {variables.w})')],
  ['a call may make a list', where("event IN splitByChar(',', {variables.v})")],
  ['the idiom itself', where(option('v', 'event = {variables.v}'))],
  ['null finds nothing here, and everything in the idiom', where("{variables.v} = '' OR event = {variables.v}")],
  ['the same', where('empty({variables.v}) OR event = {variables.v}')],
  ['the same', where('length({variables.v}) = 0 OR event = {variables.v}')],
  ["'' is compared here, and finds everything in the idiom", where('{variables.v} IS NULL OR event = {variables.v}')],
  ['a test of another variable', where("{variables.w} IS NULL OR {variables.w} = '' OR event = {variables.v}")],
  [
    'two comparisons',
    where("ifNull({variables.v}, '') = '' OR event = {variables.v} OR properties.plan = {variables.v}"),
  ],
  ['a list', where("ifNull({variables.list}, '') = '' OR event = {variables.list}")],
  ['another default', where("ifNull({variables.v}, 'all') = 'all' OR event = {variables.v}")],
  ['an aggregate', 'SELECT event, count() AS c FROM events GROUP BY event HAVING c > {variables.n}'],
  ['an aggregate without a column', 'SELECT event FROM events GROUP BY event HAVING count() > {variables.n}'],
  ['an aggregate of a key', 'SELECT event FROM events GROUP BY event HAVING max(event) = {variables.v}'],
  [
    'an alternative with an aggregate',
    'SELECT event FROM events GROUP BY event HAVING event = {variables.v} OR count() > 5',
  ],
  ['one group of all rows', 'SELECT count() FROM events HAVING count() > {variables.n}'],
  ['groups of several sizes', 'SELECT event, count() FROM events GROUP BY ROLLUP (event) HAVING event = {variables.v}'],
  [
    'the alias hides its own column',
    'SELECT lower(event) AS event, count() FROM events GROUP BY event HAVING event = {variables.v}',
  ],
  ['another value each time', 'SELECT rand() AS r, count() FROM events GROUP BY r HAVING r = {variables.n}'],
  [
    'as many rows as items',
    'SELECT arrayJoin([1, 2]) AS item, count() FROM events GROUP BY item HAVING item = {variables.n}',
  ],
  [
    'a LEFT JOIN keeps its rows',
    'SELECT count() FROM events AS e LEFT JOIN persons AS p ON e.person_id = p.id AND e.event = {variables.v}',
  ],
  [
    'a FULL JOIN too',
    'SELECT count() FROM events AS e FULL JOIN persons AS p ON e.person_id = p.id AND e.event = {variables.v}',
  ],
  [
    'a later RIGHT JOIN adds rows',
    'SELECT count() FROM events AS e JOIN persons AS p ON e.person_id = p.id AND e.event = {variables.v} RIGHT JOIN persons AS q ON q.id = p.id',
  ],
  [
    'an ANY JOIN picks a row',
    'SELECT count() FROM events AS e ANY INNER JOIN persons AS p ON e.person_id = p.id AND e.event = {variables.v}',
  ],
  ['nothing else joins', 'SELECT count() FROM events AS e JOIN persons AS p ON e.event = {variables.v}'],
  [
    'an alias of that name',
    'SELECT upper(e.event) AS event FROM events AS e JOIN persons AS p ON e.person_id = p.id AND event = {variables.v}',
  ],
  [
    'a name that a later table may have',
    'SELECT count() FROM events AS e JOIN persons AS p ON e.person_id = p.id AND event = {variables.v} JOIN events AS f ON f.uuid = e.uuid',
  ],
  [
    'a sub-query',
    'SELECT count() FROM events AS e JOIN persons AS p ON e.person_id = p.id AND e.event IN (SELECT {variables.v})',
  ],
];
