import { expect, test } from '@jest/globals';
import { readMemberQuery } from './member-filter.ts';

const read = (query: Parameters<typeof readMemberQuery>[0]) =>
  readMemberQuery(query, { organizationId: 'o', userId: null });

test.each([
  [{}, {}],
  [{ search: '  Ann \n' }, { search: 'Ann' }],
  [{ search: ' ' }, { search: null }],
  [{ search: '€'.repeat(200) }, { search: '€'.repeat(200) }],
  [{ search: '😀'.repeat(200) }, { search: '😀'.repeat(200) }],
  [{ order: 'joined_at' }, { order: 'oldest first' }],
  [{ order: '-joined_at' }, {}],
  [{ order: 'level' }, {}],
])('%j is read as %j', (query, wish) =>
  expect(read(query)).toMatchObject({ search: null, order: 'newest first', ...wish }),
);

test.each([
  [{ levels: '1,8' }, { levels: [1, 8] }],
  [{ levels: ' 15 ,' }, { levels: [15] }],
  [{ levels: '' }, { levels: null }],
  [{ levels: '2,99999999999' }, { levels: [2] }],
  [{ email_domain: ' Acme.com ' }, { emailDomain: 'Acme.com' }],
  [{ email_domain: '' }, { emailDomain: null }],
  [{ outside_verified_domains: false }, { outsideVerifiedDomains: false }],
  [{ updated_after: '2026-01-02T03:04:05Z' }, { updatedAfter: new Date('2026-01-02T03:04:05Z') }],
])('%j filters by %j', (query, filter) => expect(read(query).filter).toMatchObject(filter));

test.each([
  ['search', 'x'.repeat(201)],
  ['levels', '1,a'],
  ['levels', '1.5'],
  ['updated_after', '2016-12-31T23:59:60Z'],
  ['updated_after', '0000-01-01T00:00:00Z'],
])('%s that cannot be meant is refused', (attr, text) => {
  expect(() => read({ [attr]: text })).toThrow(
    expect.objectContaining({ code: 'invalid_input', details: expect.objectContaining({ attr }) }),
  );
});
