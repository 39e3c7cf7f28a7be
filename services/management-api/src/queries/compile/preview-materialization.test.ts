import { expect, test } from '@jest/globals';
import { checkQuery } from './check-query.ts';
import { previewMaterialization } from './preview-materialization.ts';

function frozenIn(query: string, dateRange: object): readonly string[] {
  const checked = checkQuery({ kind: 'HogQLQuery', query, filters: { dateRange } }).query;
  return previewMaterialization({ query: checked, name: 'e', version: 1, bucketOverrides: null }).volatile_functions;
}

test('a preview names filters whose dates would be those of the build (contract/endpoints 6.7)', () => {
  const query = 'SELECT count(), now() FROM events WHERE {filters}';
  expect(frozenIn(query, { date_from: '-7d' })).toEqual(['now', '{filters}']);
  expect(frozenIn(query, { date_from: '2026-01-01', date_to: 'yStart' })).toEqual(['now', '{filters}']);
  expect(frozenIn(query, { date_from: '2026-01-01', date_to: '2026-02-01' })).toEqual(['now']);
});
