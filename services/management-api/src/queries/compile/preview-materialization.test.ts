import { describe, expect, test } from '@jest/globals';
import { checkQuery } from './check-query.ts';
import { previewMaterialization } from './preview-materialization.ts';

function frozenIn(query: string, dateRange: object, properties: object[] = []): readonly string[] {
  const checked = checkQuery({ kind: 'HogQLQuery', query, filters: { dateRange, properties } }).query;
  return previewMaterialization({ query: checked, name: 'e', version: 1, bucketOverrides: null }).volatile_functions;
}

test('a preview names filters whose dates would be those of the build (contract/endpoints 6.7)', () => {
  const query = 'SELECT count(), now() FROM events WHERE {filters}';
  expect(frozenIn(query, { date_from: '-7d' })).toEqual(['now', '{filters}']);
  expect(frozenIn(query, { date_from: '2026-01-01', date_to: 'yStart' })).toEqual(['now', '{filters}']);
  const month = { date_from: '2026-01-01', date_to: '2026-02-01' };
  expect(frozenIn(query, month)).toEqual(['now']);
  expect(frozenIn(query, month, [{ type: 'hogql', key: "event = 'a'" }])).toEqual(['now']);
  expect(frozenIn(query, month, [{ type: 'hogql', key: 'timestamp > today()' }])).toEqual(['now', '{filters}']);
});

// Field by field as contract/endpoints 6.7 has them.
describe('a preview', () => {
  const empty = { range_pairs: [], aggregates: [], volatile_functions: [], optional_variables: [] };
  const able = { can_materialize: true, reason: null, reason_code: null, ...empty };

  function previewOf(query: string, names: readonly string[], bucketOverrides: Record<string, string> | null = null) {
    const variables = Object.fromEntries(names.map((name) => [name, { code_name: name }]));
    const checked = checkQuery({ kind: 'HogQLQuery', query, variables }).query;
    return previewMaterialization({ query: checked, name: 'orders', version: 3, bucketOverrides });
  }

  test('names both queries, the range of a column, and what puts aggregates together', () => {
    const query = `SELECT toDate(timestamp) AS day, count() AS total, max(properties.price) FROM events
      WHERE event = {variables.event} AND timestamp >= {variables.from} AND timestamp < toDateTime({variables.to})
      GROUP BY day ORDER BY day LIMIT 50`;
    const readOf = (table: string): string =>
      `SELECT day, sum(total) AS total, max(\`max(properties.price)\`) AS \`max(properties.price)\` FROM ${table} ` +
      'WHERE event = {variables.event} AND `from` >= toStartOfDay({variables.from}) AND to < toStartOfDay(toDateTime({variables.to})) ' +
      'GROUP BY day ORDER BY day LIMIT 50';
    expect(previewOf(query, ['event', 'from', 'to'])).toStrictEqual({
      ...able,
      transformed_query:
        'SELECT toDate(timestamp) AS day, count() AS total, max(properties.price), event, toStartOfDay(timestamp) AS `from`, toStartOfDay(timestamp) AS to ' +
        'FROM events GROUP BY day, event, toStartOfDay(timestamp)',
      execution_query: readOf('orders_v3'),
      display_execution_query: readOf('orders'),
      range_pairs: [{ column: 'timestamp', variables: ['from', 'to'], bucket_fn: 'toStartOfDay' }],
      aggregates: [
        { expression: 'total', reaggregate_fn: 'sum' },
        { expression: 'max(properties.price)', reaggregate_fn: 'max' },
      ],
    });
  });

  test('has the ranges by column, in the order of the query; a property has no bucket', () => {
    const query = `SELECT event FROM events WHERE properties.price >= {variables.least}
      AND created_at > {variables.since} AND properties.price <= {variables.most}`;
    const { range_pairs } = previewOf(query, ['least', 'since', 'most'], { created_at: 'hour' });
    expect(range_pairs).toStrictEqual([
      { column: 'properties.price', variables: ['least', 'most'], bucket_fn: null },
      { column: 'created_at', variables: ['since'], bucket_fn: 'toStartOfHour' },
    ]);
  });

  test('of a value that picks one stored row names its aggregate, and nothing that puts it together', () => {
    expect(previewOf('SELECT uniq(distinct_id) FROM events WHERE event = {variables.event}', ['event'])).toStrictEqual({
      ...able,
      transformed_query: 'SELECT uniq(distinct_id), event FROM events GROUP BY event',
      execution_query: 'SELECT `uniq(distinct_id)` FROM orders_v3 WHERE event = {variables.event}',
      display_execution_query: 'SELECT `uniq(distinct_id)` FROM orders WHERE event = {variables.event}',
      aggregates: [{ expression: 'uniq(distinct_id)', reaggregate_fn: null }],
    });
  });

  test('without variables shows the query as it was written, and no aggregates', () => {
    const query = 'SELECT event,  count() AS n FROM events -- all\n GROUP BY event';
    expect(previewOf(query, [])).toStrictEqual({
      ...able,
      transformed_query: query,
      execution_query: 'SELECT event, n FROM orders_v3',
      display_execution_query: 'SELECT event, n FROM orders',
    });
  });

  test('of a query that a rule refuses has the rule alone', () => {
    expect(previewOf('SELECT count() FROM events WHERE event != {variables.event}', ['event'])).toStrictEqual({
      can_materialize: false,
      reason:
        'The variables of this query are not supported: {variables.event} is compared by !=; =, >=, >, <, <=, LIKE, ILIKE, NOT LIKE and NOT ILIKE are possible',
      reason_code: 'unsupported_operator',
      transformed_query: null,
      execution_query: null,
      display_execution_query: null,
      ...empty,
    });
  });
});
