import { describe, expect, test } from '@jest/globals';
import { sourceFingerprint, type FingerprintedVersion } from './source-fingerprint.ts';

// A table answers only the query that it was made of (contract/endpoints 6.5).
const version = {
  query: {
    kind: 'HogQLQuery',
    query: 'SELECT count() FROM events WHERE {filters}',
    filters: { filterTestAccounts: true },
  },
  propertyTypes: { event: { price: 'Numeric' } },
  bucketOverrides: null,
};
const project = { timeZone: 'UTC', testAccounts: [{ key: 'email', value: '@acme.com', operator: 'icontains' }] };
const usual = sourceFingerprint(version, project);

describe('a table has another fingerprint', () => {
  test.each<[string, Partial<FingerprintedVersion>]>([
    ['query', { query: { ...version.query, query: 'SELECT count() FROM persons' } }],
    ['constant', { query: { ...version.query, values: { x: 1 } } }],
    ['type of a property', { propertyTypes: { event: { price: 'String' } } }],
    ['bucket', { bucketOverrides: { timestamp: 'hour' } }],
  ])('with another %s', (_name, changes) => {
    expect(sourceFingerprint({ ...version, ...changes }, project)).not.toBe(usual);
  });

  test.each([
    ['time zone', { timeZone: 'Asia/Tokyo' }],
    ['filter of test accounts', { testAccounts: [] }],
  ])('in a project with another %s', (_name, changes) => {
    expect(sourceFingerprint(version, { ...project, ...changes })).not.toBe(usual);
  });
});

test('it is the same for the same, and where the query leaves test accounts in, whatever their filter', () => {
  expect(sourceFingerprint(structuredClone(version), structuredClone(project))).toBe(usual);
  const without = { ...version, query: { ...version.query, filters: {} } };
  expect(sourceFingerprint(without, project)).toBe(sourceFingerprint(without, { ...project, testAccounts: [] }));
});
