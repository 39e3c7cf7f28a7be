import { describe, expect, test } from '@jest/globals';
import { authorize, holdsScope, type Caller, type Target } from './authorize.ts';

const ours = '11111111-1111-4111-8111-111111111111';
const theirs = '22222222-2222-4222-8222-222222222222';

const caller: Caller = {
  keyId: 'k',
  userId: 1,
  scopes: ['endpoint:read'],
  scopedProjects: [],
  scopedOrganizations: [],
  currentProjectId: null,
  currentOrganizationId: null,
  levels: { [ours]: 8 },
};

const ourProject: Target = { kind: 'project', project: { id: 5, organizationId: ours } };
const theirProject: Target = { kind: 'project', project: { id: 6, organizationId: theirs } };
const ourOrganization: Target = { kind: 'organization', organization: { id: ours } };
const noAccess = { allowed: false, code: 'permission_denied', detail: 'This API key has no access to project 5.' };
const noScope = { allowed: false, code: 'permission_denied', detail: "API key missing required scope 'endpoint:read'" };

describe('authorize decides in the order of contract/orgs-errors 1.3', () => {
  test.each<[string, Partial<Caller>, Target, object]>([
    ['a member with the scope', {}, ourProject, { allowed: true, level: 8 }],
    ['unknown project before everything else', { scopes: [], scopedProjects: [9] }, { kind: 'project', project: null }, { allowed: false, code: 'not_found', detail: 'Project not found.' }],
    ['unknown organization', {}, { kind: 'organization', organization: null }, { allowed: false, code: 'not_found', detail: 'Organization not found.' }],
    ['project-limited key on another project, before the scope', { scopedProjects: [9], scopes: [] }, ourProject, noAccess],
    ['project-limited key on its project', { scopedProjects: [9, 5] }, ourProject, { allowed: true, level: 8 }],
    ['project-limited key on an organization', { scopedProjects: [5] }, ourOrganization, { allowed: false, code: 'permission_denied', detail: `This API key has no access to organization ${ours}.` }],
    ['organization-limited key on another organization, before the scope', { scopedOrganizations: [theirs], scopes: [] }, ourProject, noAccess],
    ['organization-limited key on a project of its organization', { scopedOrganizations: [ours] }, ourProject, { allowed: true, level: 8 }],
    ['both limits hold together', { scopedProjects: [5], scopedOrganizations: [theirs] }, ourProject, noAccess],
    ['missing scope before membership', { scopes: ['survey:read'], levels: {} }, ourProject, noScope],
    ['no member', { levels: {} }, ourProject, noAccess],
    ['member elsewhere', {}, theirProject, { ...noAccess, detail: 'This API key has no access to project 6.' }],
    ['limited to a project that its user is no member of', { scopedProjects: [6] }, theirProject, { ...noAccess, detail: 'This API key has no access to project 6.' }],
    ['a route about the user needs only the scope', { levels: {}, scopedProjects: [9] }, { kind: 'user' }, { allowed: true, level: 0 }],
    ['a route about the user without the scope', { scopes: [] }, { kind: 'user' }, noScope],
  ])('%s', (_name, changes, target, expected) => {
    expect(authorize({ ...caller, ...changes }, 'endpoint:read', target)).toEqual(expected);
  });
});

describe('scopes', () => {
  test.each([
    [['endpoint:write'], true],
    [['*'], true],
    [['endpoint:read'], true],
    [['endpoint'], false],
    [['endpoint:*'], false],
    [['survey:write'], false],
    [[], false],
  ])('%j for endpoint:read: %s', (held, expected) => expect(holdsScope(held, 'endpoint:read')).toBe(expected));

  test('reading never allows to write', () => expect(holdsScope(['endpoint:read'], 'endpoint:write')).toBe(false));
});
