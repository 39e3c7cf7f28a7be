import { describe, expect, test } from '@jest/globals';
import { checkGrants, highestGrants, readGrants, type GrantableProject, type ProjectGrant } from './project-grants.ts';

describe('what a body may give of projects (contract/orgs-errors 2.2)', () => {
  test.each<[string, unknown, string]>([
    ['an entry that is no object', [5], 'must be an object'],
    ['an entry that is null', [null], 'must be an object'],
    ['an entry that is a list', [[]], 'must be an object'],
    ['no id', [{ level: 'member' }], 'needs the id'],
    ['no level', [{ id: 1 }], 'needs a level'],
    ['an id that is a text', [{ id: '1', level: 'member' }], 'must be an integer'],
    ['an id that is no whole number', [{ id: 1.5, level: 'member' }], 'must be an integer'],
    ['an id that is null', [{ id: null, level: 'member' }], 'must be an integer'],
    ['an unknown level', [{ id: 1, level: 'owner' }], 'must be one of: none, member, admin'],
    ['a level that is a number', [{ id: 1, level: 8 }], 'must be one of'],
    ['a good entry before a bad one', [{ id: 1, level: 'none' }, {}], 'needs the id'],
  ])('%s is refused, in words of its own', (_name, items, words) => {
    expect(() => readGrants(items as unknown[])).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        details: expect.objectContaining({ attr: 'private_project_access', detail: expect.stringContaining(words) }),
      }),
    );
  });

  test('more than a thousand are refused', () => {
    expect(() => readGrants(Array.from({ length: 1001 }, (_, id) => ({ id, level: 'none' })))).toThrow(
      expect.objectContaining({ code: 'max_length' }),
    );
  });

  test('of a project that is named twice the higher level counts; unknown keys are left out', () => {
    const items = [
      { id: 1, level: 'member', extra: true },
      { id: 2, level: 'none' },
      { id: 1, level: 'admin' },
      { id: 1, level: 'none' },
    ];
    expect(readGrants(items)).toEqual([
      { id: 1, level: 'admin' },
      { id: 2, level: 'none' },
    ]);
    expect(highestGrants([])).toEqual([]);
  });
});

describe('the right to give access to a project', () => {
  const open: GrantableProject = { id: 1, isPrivate: false, isAdmin: false };
  const closed: GrantableProject = { id: 2, isPrivate: true, isAdmin: false };
  const own: GrantableProject = { id: 3, isPrivate: true, isAdmin: true };
  const projects = [open, closed, own];
  const may = (grant: ProjectGrant, isOrganizationAdmin: boolean): boolean => {
    try {
      checkGrants([grant], projects, isOrganizationAdmin);
      return true;
    } catch {
      return false;
    }
  };

  test.each<[string, ProjectGrant, member: boolean, admin: boolean]>([
    ['an open project', { id: 1, level: 'member' }, true, true],
    ['an open project, to administer', { id: 1, level: 'admin' }, false, true],
    ['a private project', { id: 2, level: 'member' }, false, true],
    ['none of a private project', { id: 2, level: 'none' }, false, true],
    ['a private project that the inviter administers', { id: 3, level: 'admin' }, true, true],
    ['a project that is not there', { id: 4, level: 'member' }, false, false],
  ])('%s', (_name, grant, member, admin) => {
    expect([may(grant, false), may(grant, true)]).toEqual([member, admin]);
  });

  test('a private project and one that is not there are refused in the same words', () => {
    const words = (id: number): string => {
      try {
        checkGrants([{ id, level: 'member' }], projects, false);
        return '';
      } catch (error) {
        return String(error).replace(String(id), 'N');
      }
    };
    expect(words(2)).toBe(words(4));
    expect(words(2)).toContain('no project N');
  });
});
