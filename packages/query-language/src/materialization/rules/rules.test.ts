import { describe, expect, test } from '@jest/globals';
import { parseSelect } from '../../parse.ts';
import { checkDefinition, type EndpointQuery } from '../check-definition.ts';
import { planMaterialization } from '../plan-materialization.ts';
import type { Refusal } from '../plan.ts';
import { variableOf, variablesIn } from '../selects/tree-conditions.ts';
import { materializationConditions } from './materialization-conditions.ts';
import { rules } from './rules.ts';

/** The refusal of a query whose variables are declared. */
function refusalOf(text: string): Refusal | undefined {
  const tree = parseSelect(text);
  const names = new Set(variablesIn(tree).map((node) => variableOf(node) ?? ''));
  names.delete('');
  const variables = [...names].map((name) => ({ name, type: 'String' as const }));
  const planned = planMaterialization(tree, variables, null);
  return planned.ok ? undefined : planned.refusal;
}

const carried = 'WITH a AS (SELECT event, distinct_id FROM events WHERE event = {variables.x})';

/** A query that the rule refuses, and its nearest neighbour that it lets through. */
const cases: [keyof typeof rules, refused: string, allowed: string][] = [
  [
    'place',
    'SELECT event FROM events WHERE event = {variables.x} LIMIT {variables.n}',
    'SELECT event FROM events WHERE event = {variables.x} LIMIT {n}',
  ],
  ['place', 'SELECT event, {variables.x} FROM events', 'SELECT event FROM events WHERE event = {variables.x}'],
  [
    'place',
    'SELECT event FROM events ORDER BY event = {variables.x}',
    'SELECT event FROM events WHERE event = {variables.x} ORDER BY event',
  ],
  [
    'place',
    'SELECT count() FROM events JOIN persons ON persons.id = {variables.x}',
    'SELECT count() FROM events JOIN persons ON persons.id = events.person_id WHERE persons.id = {variables.x}',
  ],
  [
    'place',
    'SELECT event FROM (SELECT event FROM events WHERE event = {variables.x})',
    'SELECT event FROM (SELECT event FROM events) WHERE event = {variables.x}',
  ],
  [
    'place',
    'SELECT event FROM events WHERE event = {variables.x} UNION ALL SELECT event FROM events',
    'SELECT event FROM (SELECT event FROM events UNION ALL SELECT event FROM events) WHERE event = {variables.x}',
  ],
  [
    'place',
    'SELECT event FROM events PREWHERE event = {variables.x}',
    "SELECT event FROM events PREWHERE event = 'a' WHERE event = {variables.x}",
  ],
  [
    'having',
    'SELECT event FROM events WHERE event = {variables.x} GROUP BY event HAVING count() > {variables.n}',
    'SELECT event FROM events WHERE event = {variables.x} GROUP BY event HAVING count() > 5',
  ],
  ['usage', 'SELECT event FROM events WHERE {variables.x}', 'SELECT event FROM events WHERE event = {variables.x}'],
  [
    'usage',
    'SELECT event FROM events WHERE length({variables.x}) > 3',
    'SELECT event FROM events WHERE length(event) > {variables.x}',
  ],
  [
    'usage',
    'SELECT event FROM events WHERE timestamp BETWEEN {variables.a} AND {variables.b}',
    'SELECT event FROM events WHERE timestamp >= {variables.a} AND timestamp <= {variables.b}',
  ],
  [
    'usage',
    'SELECT event FROM events WHERE event = concat({variables.a}, {variables.b})',
    "SELECT event FROM events WHERE event = concat({variables.a}, 'b')",
  ],
  [
    'usage',
    'SELECT event FROM events WHERE event = concat({variables.a}, distinct_id)',
    "SELECT event FROM events WHERE event LIKE concat('%', {variables.a}, '%')",
  ],
  [
    'usage',
    'SELECT event FROM events WHERE {variables.a} = {variables.b}',
    'SELECT event FROM events WHERE {variables.a} = event',
  ],
  [
    'usage',
    'SELECT event FROM events WHERE event IN (SELECT event FROM events WHERE event = {variables.x})',
    'SELECT event FROM events WHERE event IN (SELECT event FROM events) AND event = {variables.x}',
  ],
  [
    'operator',
    'SELECT event FROM events WHERE event != {variables.x}',
    'SELECT event FROM events WHERE event NOT LIKE {variables.x}',
  ],
  [
    'operator',
    'SELECT event FROM events WHERE event IN {variables.x}',
    "SELECT event FROM events WHERE coalesce({variables.x}, '') = '' OR event IN splitByChar(',', {variables.x})",
  ],
  [
    'operator',
    "SELECT event FROM events WHERE event IN splitByChar(',', {variables.x})",
    'SELECT event FROM events WHERE event = {variables.x}',
  ],
  [
    'operator',
    'SELECT event FROM events WHERE {variables.x} LIKE event',
    'SELECT event FROM events WHERE event LIKE {variables.x}',
  ],
  [
    'operator',
    'SELECT event FROM events WHERE event IS NOT DISTINCT FROM {variables.x}',
    'SELECT event FROM events WHERE event ILIKE {variables.x}',
  ],
  [
    'or',
    "SELECT event FROM events WHERE event = {variables.x} OR event = 'a'",
    "SELECT event FROM events WHERE event = {variables.x} AND (event = 'a' OR event = 'b')",
  ],
  [
    'or',
    "SELECT event FROM events WHERE coalesce({variables.x}, '') = '' OR event = {variables.y}",
    "SELECT event FROM events WHERE event = {variables.x} OR '' = coalesce({variables.x}, '')",
  ],
  [
    'or',
    "SELECT event FROM events WHERE coalesce({variables.x}, 'a') = '' OR event = {variables.x}",
    "SELECT event FROM events WHERE coalesce({variables.x}, '') = '' OR event = {variables.x}",
  ],
  [
    'columns',
    'SELECT event FROM events WHERE event = {variables.x} AND distinct_id = {variables.x}',
    'SELECT event FROM events WHERE event >= {variables.x} AND event <= {variables.x}',
  ],
  [
    'cteAndTop',
    `${carried} SELECT event FROM a WHERE distinct_id = {variables.y}`,
    `${carried} SELECT event FROM a WHERE distinct_id = 'y'`,
  ],
  [
    'ctes',
    `${carried}, b AS (SELECT event FROM a WHERE distinct_id = {variables.y}) SELECT event FROM b`,
    `${carried}, b AS (SELECT event FROM a WHERE distinct_id = 'y') SELECT event FROM b`,
  ],
  [
    'aggregate',
    'SELECT uniq(event) FROM events WHERE timestamp >= {variables.x}',
    'SELECT uniq(event) FROM events WHERE event = {variables.x}',
  ],
  [
    'aggregate',
    'SELECT count(DISTINCT event) FROM events WHERE timestamp >= {variables.x}',
    'SELECT count(event) FROM events WHERE timestamp >= {variables.x}',
  ],
  [
    'aggregate',
    'SELECT event, avg(1) FROM events WHERE toDate(timestamp) >= {variables.x} GROUP BY event',
    'SELECT event, sum(1) / count() FROM events WHERE toDate(timestamp) >= {variables.x} GROUP BY event',
  ],
  [
    'aggregate',
    'SELECT event FROM events WHERE event LIKE {variables.x} GROUP BY event HAVING uniq(distinct_id) > 1',
    'SELECT event FROM events WHERE event LIKE {variables.x} GROUP BY event HAVING countIf(distinct_id > 1) > 1',
  ],
  [
    'aggregate',
    'WITH a AS (SELECT event, count() AS c FROM events WHERE timestamp >= {variables.x} GROUP BY event) SELECT sum(c) FROM a',
    'WITH a AS (SELECT event, count() AS c FROM events WHERE distinct_id = {variables.x} GROUP BY event) SELECT sum(c) FROM a',
  ],
  [
    'aggregate',
    'SELECT count() / (SELECT count() FROM events) FROM events WHERE timestamp >= {variables.x}',
    'SELECT count() / (SELECT count() FROM events) FROM events WHERE event = {variables.x}',
  ],
  [
    'cteJoin',
    `${carried} SELECT a.event FROM a JOIN persons p ON p.id = a.event`,
    `${carried}, b AS (SELECT a.event AS event FROM a JOIN persons p ON p.id = a.event) SELECT event FROM b`,
  ],
  [
    'scalar',
    `${carried} SELECT count() / (SELECT count() FROM a) FROM a`,
    `${carried} SELECT count() / (SELECT count() FROM events) FROM a`,
  ],
  [
    'scalar',
    `${carried} SELECT event FROM a WHERE event IN (SELECT event FROM a)`,
    `${carried} SELECT event FROM a WHERE event IN (SELECT event FROM events)`,
  ],
  [
    'alias',
    'SELECT upper(event) AS x FROM events WHERE event = {variables.x}',
    'SELECT event AS x FROM events WHERE event = {variables.x}',
  ],
  [
    'alias',
    'SELECT count() AS event FROM events WHERE event = {variables.x}',
    'SELECT count() AS n FROM events WHERE event = {variables.x}',
  ],
  [
    'body',
    `${carried}, b AS (SELECT DISTINCT event FROM a) SELECT count() FROM b`,
    `${carried}, b AS (SELECT event FROM a GROUP BY event) SELECT count() FROM b`,
  ],
  [
    'body',
    'WITH a AS (SELECT event FROM events WHERE event = {variables.x} LIMIT 5) SELECT event FROM a',
    'WITH a AS (SELECT event FROM events WHERE event = {variables.x}) SELECT event FROM a LIMIT 5',
  ],
  [
    'body',
    `${carried}, b AS (SELECT * FROM a JOIN a AS o ON a.event = o.event) SELECT count() FROM b`,
    `${carried}, b AS (SELECT a.event AS event FROM a JOIN a AS o ON a.event = o.event) SELECT count() FROM b`,
  ],
  [
    'body',
    `${carried}, b AS (SELECT event FROM a ORDER BY event WITH FILL) SELECT count() FROM b`,
    `${carried}, b AS (SELECT event FROM a ORDER BY event) SELECT count() FROM b`,
  ],
  [
    'body',
    `${carried}, b AS ((SELECT event FROM a UNION ALL SELECT event FROM a) LIMIT 5) SELECT count() FROM b`,
    `${carried}, b AS (SELECT event FROM a UNION ALL SELECT event FROM a) SELECT count() FROM b`,
  ],
  [
    'body',
    'WITH a AS (SELECT event FROM events WHERE event = {variables.x}), count() AS c SELECT c FROM a',
    'WITH a AS (SELECT event FROM events WHERE event = {variables.x}) SELECT count() AS c FROM a',
  ],
  [
    'clause',
    'SELECT *, count() FROM events WHERE event = {variables.x} GROUP BY ALL',
    'SELECT event, count() FROM events WHERE event = {variables.x} GROUP BY ALL',
  ],
  [
    'aggregate',
    'SELECT event, count() + (distinct_id = 1) AS c FROM events WHERE timestamp >= {variables.x} GROUP BY event',
    'SELECT event, count() + 1 AS c FROM events WHERE timestamp >= {variables.x} GROUP BY event',
  ],
  [
    'window',
    `${carried}, b AS (SELECT row_number() OVER () AS r FROM a) SELECT count() FROM b`,
    `${carried}, b AS (SELECT 1 AS r FROM a) SELECT count() FROM b`,
  ],
  [
    'window',
    'WITH a AS (SELECT row_number() OVER () AS r FROM events WHERE event = {variables.x}) SELECT r FROM a',
    'WITH a AS (SELECT 1 AS r FROM events WHERE event = {variables.x}) SELECT r FROM a',
  ],
  [
    'join',
    `${carried}, b AS (SELECT a.event AS event FROM events e LEFT JOIN a ON a.event = e.event) SELECT event FROM b`,
    `${carried}, b AS (SELECT a.event AS event FROM events e JOIN a ON a.event = e.event) SELECT event FROM b`,
  ],
  [
    'join',
    'WITH a AS (SELECT event FROM events WHERE event LIKE {variables.x}), b AS (SELECT a.event AS event FROM a JOIN a AS o ON a.event = o.event) SELECT event FROM b',
    'WITH a AS (SELECT event FROM events WHERE event = {variables.x}), b AS (SELECT a.event AS event FROM a JOIN a AS o ON a.event = o.event) SELECT event FROM b',
  ],
  [
    'nested',
    `${carried}, b AS (SELECT event FROM events WHERE event IN (SELECT event FROM a)) SELECT a.event FROM a`,
    `${carried}, b AS (SELECT event FROM events WHERE event IN (SELECT event FROM events)) SELECT a.event FROM a`,
  ],
  [
    'nested',
    `${carried} SELECT event FROM (SELECT event FROM a)`,
    `${carried}, b AS (SELECT event FROM a) SELECT event FROM b`,
  ],
  ['source', `${carried} SELECT event FROM events`, `${carried} SELECT event FROM a`],
  [
    'downstreamName',
    `${carried}, b AS (SELECT upper(event) AS x FROM a) SELECT count() FROM b`,
    `${carried}, b AS (SELECT upper(event) AS y FROM a) SELECT count() FROM b`,
  ],
  [
    'union',
    `${carried}, b AS (SELECT event FROM a UNION DISTINCT SELECT event FROM a) SELECT event FROM b`,
    `${carried}, b AS (SELECT event FROM a UNION ALL SELECT event FROM a) SELECT event FROM b`,
  ],
  [
    'leg',
    `${carried}, b AS (SELECT event FROM a UNION ALL SELECT DISTINCT event FROM a) SELECT event FROM b`,
    `${carried}, b AS (SELECT event FROM a UNION ALL SELECT event FROM a GROUP BY event) SELECT event FROM b`,
  ],
  [
    'leg',
    `${carried}, b AS (SELECT count() AS c FROM a UNION ALL SELECT 1 AS c FROM a) SELECT c FROM b`,
    `${carried}, b AS (SELECT count() AS c FROM a GROUP BY event UNION ALL SELECT 1 AS c FROM a) SELECT c FROM b`,
  ],
  [
    'legSet',
    `${carried}, b AS (SELECT event FROM a UNION ALL (SELECT event FROM a UNION ALL SELECT event FROM a)) SELECT event FROM b`,
    `${carried}, b AS (SELECT event FROM a UNION ALL SELECT event FROM a UNION ALL SELECT event FROM a) SELECT event FROM b`,
  ],
  [
    'legSource',
    `${carried}, b AS (SELECT event FROM a UNION ALL SELECT event FROM events) SELECT event FROM b`,
    `${carried}, b AS (SELECT event FROM a UNION ALL SELECT a.event FROM a) SELECT event FROM b`,
  ],
  [
    'conjunct',
    'SELECT event FROM events WHERE NOT (event = {variables.x})',
    'SELECT event FROM events WHERE NOT (event = 1) AND (event = {variables.x})',
  ],
  [
    'conjunct',
    'SELECT event FROM events WHERE if(event = {variables.x}, true, false)',
    'SELECT event FROM events WHERE lower(event) = {variables.x}',
  ],
  [
    'clause',
    'SELECT DISTINCT event FROM events WHERE event = {variables.x}',
    'SELECT event FROM events WHERE event = {variables.x} GROUP BY event',
  ],
  [
    'clause',
    'SELECT event FROM events WHERE event = {variables.x} LIMIT 1 BY event',
    'SELECT event FROM events WHERE event = {variables.x} LIMIT 1 OFFSET 1',
  ],
  [
    'clause',
    'SELECT event, row_number() OVER () FROM events WHERE event = {variables.x}',
    'SELECT event, 1 FROM events WHERE event = {variables.x}',
  ],
  [
    'clause',
    'SELECT event, count() FROM events WHERE event = {variables.x} GROUP BY event WITH ROLLUP',
    'SELECT event, count() FROM events WHERE event = {variables.x} GROUP BY event',
  ],
  [
    'clause',
    'SELECT event FROM events WHERE event = {variables.x} ORDER BY timestamp WITH FILL',
    'SELECT event, timestamp FROM events WHERE event = {variables.x} ORDER BY timestamp WITH FILL',
  ],
  [
    'clause',
    'SELECT upper(event) || toString(count()) AS c FROM events WHERE distinct_id = {variables.x} GROUP BY ALL ORDER BY rand()',
    'SELECT upper(event) || toString(count()) AS c FROM events WHERE distinct_id = {variables.x} GROUP BY ALL ORDER BY c',
  ],
  [
    'aggregate',
    'SELECT *, count() FROM (SELECT event FROM events) WHERE event LIKE {variables.x}',
    'SELECT event, count() FROM (SELECT event FROM events) WHERE event LIKE {variables.x} GROUP BY event',
  ],
  [
    'aggregate',
    'SELECT sum(count()) OVER () FROM events WHERE timestamp >= {variables.x} GROUP BY event',
    'SELECT count() FROM events WHERE timestamp >= {variables.x} GROUP BY event',
  ],
  [
    'aggregate',
    'SELECT if({filters}, count(), 0) AS c FROM events WHERE timestamp >= {variables.x}',
    'SELECT count() FROM events WHERE timestamp >= {variables.x} AND {filters}',
  ],
  [
    'body',
    `${carried.replace('WITH', 'WITH RECURSIVE')}, b AS (SELECT event FROM a UNION ALL SELECT event FROM b) SELECT event FROM b`,
    `${carried}, b AS (SELECT event FROM a UNION ALL SELECT event FROM a) SELECT event FROM b`,
  ],
  [
    'body',
    `${carried}, b AS (SELECT event FROM a ORDER BY event OFFSET 5) SELECT event FROM b`,
    `${carried}, b AS (SELECT event FROM a) SELECT event FROM b ORDER BY event OFFSET 5`,
  ],
  [
    'body',
    `${carried}, b AS (SELECT event FROM a LIMIT 1 BY event) SELECT count() FROM b`,
    `${carried}, b AS (SELECT event FROM a GROUP BY event) SELECT count() FROM b`,
  ],
  [
    'body',
    `${carried}, b AS (SELECT event, count() AS c FROM a GROUP BY event WITH ROLLUP) SELECT count() FROM b`,
    `${carried}, b AS (SELECT event, count() AS c FROM a GROUP BY event) SELECT count() FROM b`,
  ],
  [
    'body',
    `${carried}, b AS (SELECT event FROM a QUALIFY event = 'a') SELECT count() FROM b`,
    `${carried}, b AS (SELECT event FROM a WHERE event = 'a') SELECT count() FROM b`,
  ],
  [
    'clause',
    "SELECT event FROM events WHERE event = {variables.x} QUALIFY event = 'a'",
    "SELECT event FROM events WHERE event = {variables.x} AND event = 'a'",
  ],
  [
    'sameNames',
    'SELECT *, lower(event) AS event FROM events WHERE distinct_id = {variables.x} ORDER BY event',
    'SELECT *, lower(event) AS e FROM events WHERE distinct_id = {variables.x} ORDER BY e',
  ],
  ['sameNames', 'SELECT *, event FROM events', 'SELECT event, lower(event) AS event FROM events'],
  [
    'sorted',
    'SELECT DISTINCT event FROM events ORDER BY timestamp',
    'SELECT DISTINCT event FROM events ORDER BY event',
  ],
];

describe('the checks of materialization', () => {
  test.each(cases)('%s: %s', (name, refused, allowed) => {
    expect({ refused, code: refusalOf(refused)?.code }).toEqual({ refused, code: rules[name].code });
    expect({ allowed, refusal: refusalOf(allowed) }).toEqual({ allowed, refusal: undefined });
  });

  // Names of columns without an alias stand in the read twice.
  test('largeRead: a query within the limit of a text, whose read is beyond it', () => {
    const counts = (count: number, alias: string): string =>
      Array.from(
        { length: count },
        (_, at) => `countIf(event = '${String(at).padStart(400, '0')}')${alias === '' ? '' : ` AS ${alias}${at}`}`,
      ).join(', ');
    const refusal = refusalOf(`SELECT ${counts(154, '')} FROM events WHERE event = {variables.x}`);
    expect(refusal).toMatchObject({ code: 'read_too_large', reason: expect.stringContaining('65536 characters') });
    expect(refusalOf(`SELECT ${counts(150, 'c')} FROM events WHERE event = {variables.x}`)).toBeUndefined();
  });

  // A finding of such a rule names its part, so that no refusal is left out of what the conditions say.
  test('the meaning of a rule about several things has them all', () => {
    const listed = Object.values(rules).flatMap(({ meaning, parts }) => (parts ? [{ meaning, parts }] : []));
    expect(listed.length).toBeGreaterThan(4);
    for (const { meaning, parts } of listed) for (const part of Object.values(parts)) expect(meaning).toContain(part);
  });

  test('every rule about a query has such a case, or is told apart below', () => {
    const tried = new Set<string>(cases.map(([name]) => name));
    const others = Object.entries(rules).filter(([name, { enforced }]) => enforced === 'query' && !tried.has(name));
    expect(others.map(([name]) => name)).toEqual(['variables', 'noVariables', 'placeholder', 'undeclared']);
  });

  test('a placeholder needs a name that is declared, and a declaration a placeholder', () => {
    const declared = [{ name: 'x', type: 'String' as const }];
    const codeOf = (text: string): string | undefined => {
      const planned = planMaterialization(parseSelect(text), declared, null);
      return planned.ok ? undefined : planned.refusal.code;
    };
    expect(codeOf('SELECT event FROM events')).toBe('no_variables');
    expect(codeOf('SELECT event FROM events WHERE event = {variables}')).toBe('invalid_placeholder_format');
    expect(codeOf('SELECT event FROM events WHERE event = {variables.y}')).toBe('variable_metadata_not_found');
    expect(codeOf("SELECT event FROM events WHERE event = {variables['x']}")).toBeUndefined();
  });

  test('the first rule of the list is reported, at its place, and the reason says that it is about variables', () => {
    const text = 'SELECT DISTINCT event FROM events WHERE event != {variables.x} HAVING event = {variables.y}';
    const refusal = refusalOf(text);
    expect(refusal).toEqual({
      code: 'variable_in_having',
      reason:
        'The variables of this query are not supported: {variables.y} stands in HAVING; it may stand only in WHERE',
      position: { start: text.indexOf('{variables.y}'), end: text.length },
    });
  });

  test.each<[string, EndpointQuery, string | undefined]>([
    ['another kind', { kind: 'FunnelsQuery' }, 'query_type_not_materializable'],
    ['trends', { kind: 'TrendsQuery', compareFilter: { compare: false } }, undefined],
    ['the period before', { kind: 'TrendsQuery', compareFilter: { compare: true } }, 'compare_mode_not_supported'],
    [
      'a cohort',
      { kind: 'TrendsQuery', breakdownFilter: { breakdown_type: 'cohort' } },
      'cohort_breakdown_not_supported',
    ],
    [
      'a cohort among others',
      { kind: 'TrendsQuery', breakdownFilter: { breakdowns: [{ type: 'event' }, { type: 'cohort' }] } },
      'cohort_breakdown_not_supported',
    ],
    ['an event', { kind: 'RetentionQuery', breakdownFilter: { breakdowns: [{ type: 'event' }] } }, undefined],
    ['no text', { kind: 'HogQLQuery', query: 5 }, 'empty_or_invalid_query'],
    ['an empty text', { kind: 'HogQLQuery', query: ' ' }, 'empty_or_invalid_query'],
    ['text', { kind: 'HogQLQuery', query: 'SELECT 1' }, undefined],
    ['no SQL', { kind: 'HogQLQuery', query: 'SELEC 1' }, 'parse_failed'],
  ])('the definition: %s', (_, query, code) => {
    const checked = checkDefinition(query);
    expect(checked.ok ? undefined : checked.refusal.code).toBe(code);
  });

  test('the conditions name every rule once, in order, and the way to write a variable', () => {
    const { conditions_source, rewrite_contract } = materializationConditions();
    for (const { number, code, meaning } of Object.values(rules))
      expect(conditions_source).toContain(`${number}. ${code}: ${meaning}`);
    expect(conditions_source).toContain('{variables.<code_name>}');
    expect(rewrite_contract).toContain('{variables.<code_name>}');
    const numbers = Object.values(rules).map(({ number }) => number);
    expect([...new Set(numbers)]).toEqual(Array.from({ length: 39 }, (_, at) => at + 1));
  });
});
