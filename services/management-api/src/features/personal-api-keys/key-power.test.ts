import { describe, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { requireWithin, type KeyPower } from './key-power.ts';

const soon = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-02T00:00:00Z');
const everything: KeyPower = { scopes: ['*'], scopedTeams: [], scopedOrganizations: [], expiresAt: null };

/** The field that makes the wanted key the stronger one; null: it is not. */
function excess(holder: Partial<KeyPower>, wanted: Partial<KeyPower>): string | null {
  try {
    requireWithin({ ...everything, ...holder }, { ...everything, scopes: ['survey:read'], ...wanted });
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'permission_denied') throw error;
    return error.details.attr ?? null;
  }
}

describe('a key never makes a stronger one', () => {
  test.each<[string, Partial<KeyPower>, Partial<KeyPower>, string | null]>([
    ['a star makes anything', {}, { scopes: ['*'] }, null],
    ['a star makes what is limited', {}, { scopedTeams: [1], scopedOrganizations: ['a'], expiresAt: soon }, null],
    ['scopes make the same', { scopes: ['survey:read'] }, {}, null],
    ['write makes read', { scopes: ['survey:write'] }, {}, null],
    ['read makes no write', { scopes: ['survey:read'] }, { scopes: ['survey:write'] }, 'scopes'],
    ['one scope makes no other', { scopes: ['survey:read'] }, { scopes: ['survey:read', 'query:read'] }, 'scopes'],
    ['scopes make no star', { scopes: ['survey:write', 'query:write'] }, { scopes: ['*'] }, 'scopes'],
    ['a limit is kept', { scopedTeams: [1, 2] }, { scopedTeams: [2] }, null],
    ['a limit is not left out', { scopedTeams: [1] }, { scopedTeams: [] }, 'scoped_teams'],
    ['a limit is not moved', { scopedTeams: [1] }, { scopedTeams: [1, 2] }, 'scoped_teams'],
    ['nor by naming organizations in its place', { scopedTeams: [1] }, { scopedOrganizations: ['a'] }, 'scoped_teams'],
    ['a limit to organizations is kept', { scopedOrganizations: ['a', 'b'] }, { scopedOrganizations: ['b'] }, null],
    [
      'a limit to organizations is not left out',
      { scopedOrganizations: ['a'] },
      { scopedTeams: [1] },
      'scoped_organizations',
    ],
    ['the end is kept', { expiresAt: soon }, { expiresAt: soon }, null],
    ['an earlier end', { expiresAt: later }, { expiresAt: soon }, null],
    ['a later end', { expiresAt: soon }, { expiresAt: later }, 'expires_at'],
    ['no end', { expiresAt: soon }, { expiresAt: null }, 'expires_at'],
  ])('%s', (_name, holder, wanted, field) => expect(excess(holder, wanted)).toBe(field));
});
