import { describe, expect, test } from '@jest/globals';
import { authorize, holdsScope, requirementOf, type Call, type Target } from './authorize.ts';
import type { Caller } from './caller.ts';

const ours = '11111111-1111-4111-8111-111111111111';
const theirs = '22222222-2222-4222-8222-222222222222';

const caller: Caller = {
  keyId: 'k',
  keyHash: 'h',
  userId: 1,
  userUuid: '33333333-3333-4333-8333-333333333333',
  scopes: ['endpoint:read'],
  scopedProjects: [],
  scopedOrganizations: [],
  expiresAtMs: null,
  currentProjectId: null,
  currentOrganizationId: null,
  levels: { [ours]: 8 },
};

const open = { isPrivate: false, callerIs: null };
const ourProject: Target = { kind: 'project', project: { id: 5, organizationId: ours, ...open } };
const theirProject: Target = { kind: 'project', project: { id: 6, organizationId: theirs, ...open } };
/** Private, and the caller was let in as this. */
const privateProject = (callerIs: 'member' | 'admin' | null): Target => ({
  kind: 'project',
  project: { id: 5, organizationId: ours, isPrivate: true, callerIs },
});
const plain = { levels: { [ours]: 1 } };
const ourOrganization: Target = { kind: 'organization', organization: { id: ours } };
const theirOrganization: Target = { kind: 'organization', organization: { id: theirs } };
const noProject: Target = { kind: 'project', project: null };
const noOrganization: Target = { kind: 'organization', organization: null };

/** Nothing is wrong with this call; each row below puts something wrong in it. */
const good: Call = {
  credential: { value: 'phx_a', source: 'request body' },
  caller,
  endedAtMs: null,
  requires: { scope: 'endpoint:read', level: 0 },
  target: ourProject,
};

interface Wrong extends Partial<Omit<Call, 'caller'>> {
  key?: Partial<Caller> | null;
}

function call({ key = {}, ...changes }: Wrong): Call {
  return { ...good, ...changes, caller: key === null ? null : { ...caller, ...key } };
}

const sentences = {
  notAuthenticated:
    'Authentication credentials were not provided. Write the header as "Authorization: Bearer phx_…", with your key after the word Bearer.',
  badKey: 'Personal API key found in request body is invalid.',
  projectToken:
    'Personal API key found in request body is invalid. It is a project token, which can only send events. Use a personal API key: it begins with phx_.',
  runToken:
    'Personal API key found in request body is invalid. It is a run token, which can only run one endpoint. Use a personal API key: it begins with phx_.',
  ended: 'Personal API key found in request body is invalid. It expired at 2026-01-31T12:00:00.000Z.',
  placeholder:
    'Personal API key found in request body is invalid. It is a placeholder. Write your own key: it begins with phx_, and npm start shows it.',
  noScopeOfAction: 'This action cannot be used with a personal API key.',
  noProject: 'Project not found.',
  noOrganization: 'Organization not found.',
  noCurrentProject: 'Project not found. The user of the key has no current one: write an id in place of @current.',
  noProjectOfThatForm: 'Project not found. Its id is a number, not "PROJECT_ID".',
  noOrganizationOfThatForm: 'Organization not found. Its id is a UUID, not "acme".',
  outOfProject: 'This API key has no access to project 5.',
  outOfTheirProject: 'This API key has no access to project 6.',
  outOfOrganization: `This API key has no access to organization ${ours}.`,
  outOfTheirOrganization: `This API key has no access to organization ${theirs}.`,
  missingScope: "API key missing required scope 'endpoint:read'",
  generic: 'You do not have permission to perform this action.',
} as const;

describe('contract/orgs-errors 1.3, step by step', () => {
  test.each<[step: string, Wrong, code: string, keyof typeof sentences]>([
    ['1. no credential', { credential: null, key: null }, 'not_authenticated', 'notAuthenticated'],
    ['1. a bad credential', { key: null }, 'authentication_failed', 'badKey'],
    [
      '1. a key that has ended, which only its holder can name',
      { key: null, endedAtMs: Date.UTC(2026, 0, 31, 12) },
      'authentication_failed',
      'ended',
    ],
    [
      '1. a project token in its place',
      { key: null, credential: { value: 'phc_a', source: 'request body' } },
      'authentication_failed',
      'projectToken',
    ],
    [
      '1. a run token in its place',
      { key: null, credential: { value: 'phr_a', source: 'request body' } },
      'authentication_failed',
      'runToken',
    ],
    [
      '1. a placeholder in its place',
      { key: null, credential: { value: 'phx_…', source: 'request body' } },
      'authentication_failed',
      'placeholder',
    ],
    ['2. an action that has no scope', { requires: { scope: null, level: 0 } }, 'permission_denied', 'noScopeOfAction'],
    ['3. an unknown project', { target: noProject }, 'not_found', 'noProject'],
    ['3. an unknown organization', { target: noOrganization }, 'not_found', 'noOrganization'],
    ['3. no current project', { target: { ...noProject, given: '@current' } }, 'not_found', 'noCurrentProject'],
    ['3. no id of a project', { target: { ...noProject, given: 'PROJECT_ID' } }, 'not_found', 'noProjectOfThatForm'],
    ['3. an id of a project', { target: { ...noProject, given: '99' } }, 'not_found', 'noProject'],
    [
      '3. no id of an organization',
      { target: { ...noOrganization, given: 'acme' } },
      'not_found',
      'noOrganizationOfThatForm',
    ],
    ['3. an id of an organization', { target: { ...noOrganization, given: theirs } }, 'not_found', 'noOrganization'],
    ['4. a key limited to other projects', { key: { scopedProjects: [9] } }, 'permission_denied', 'outOfProject'],
    [
      '4. a key limited to projects, on an organization',
      { key: { scopedProjects: [5] }, target: ourOrganization },
      'permission_denied',
      'outOfOrganization',
    ],
    [
      '5. a key limited to other organizations',
      { key: { scopedOrganizations: [theirs] }, target: ourOrganization },
      'permission_denied',
      'outOfOrganization',
    ],
    [
      '5. the same on a project of one',
      { key: { scopedOrganizations: [theirs] } },
      'permission_denied',
      'outOfProject',
    ],
    ['6. a missing scope', { key: { scopes: ['survey:write'] } }, 'permission_denied', 'missingScope'],
    ['7. a user who is not in the project', { target: theirProject }, 'permission_denied', 'outOfTheirProject'],
    [
      '7. a user who is not in the organization',
      { target: theirOrganization },
      'permission_denied',
      'outOfTheirOrganization',
    ],
    [
      '7. a member who was not let into a private project',
      { key: plain, target: privateProject(null) },
      'permission_denied',
      'outOfProject',
    ],
    [
      '8. a member of too low a level',
      { requires: { scope: 'endpoint:read', level: 15 } },
      'permission_denied',
      'generic',
    ],
  ])('%s', (_step, wrong, code, sentence) => {
    expect(authorize(call(wrong))).toEqual({ allowed: false, code, detail: sentences[sentence] });
  });

  // Everything is wrong at first; then, one by one from the top, a thing is put right, and the next error is reported.
  test('is the order of the errors', () => {
    const wrongs: Wrong[] = [
      { credential: null, key: null },
      { credential: good.credential },
      { key: { scopes: [], scopedProjects: [9], scopedOrganizations: [theirs], levels: {} } },
      { requires: { scope: 'endpoint:read', level: 15 } },
      { target: ourProject },
      { key: { scopes: [], scopedOrganizations: [theirs], levels: {} } },
      { key: { scopes: [], levels: {} } },
      { key: { levels: {} } },
      { key: { levels: { [ours]: 8 } } },
      { requires: { scope: 'endpoint:read', level: 8 } },
    ];
    let now: Wrong = { requires: { scope: null, level: 15 }, target: noProject };
    const reported = wrongs.map((better) => {
      now = { ...now, ...better };
      const decision = authorize(call(now));
      return decision.allowed ? 'allowed' : decision.detail;
    });
    const {
      notAuthenticated,
      badKey,
      noScopeOfAction,
      noProject: noSuchProject,
      outOfProject,
      missingScope,
      generic,
    } = sentences;
    expect(reported).toEqual([
      notAuthenticated,
      badKey,
      noScopeOfAction,
      noSuchProject,
      outOfProject,
      outOfProject,
      missingScope,
      outOfProject,
      generic,
      'allowed',
    ]);
  });
});

describe('what is allowed', () => {
  test.each<[string, Wrong, level: number]>([
    ['a member with the scope', {}, 8],
    ['a key limited to this project', { key: { scopedProjects: [9, 5] } }, 8],
    ['a key limited to the organization of this project', { key: { scopedOrganizations: [ours] } }, 8],
    ['a key limited to this organization', { key: { scopedOrganizations: [ours] }, target: ourOrganization }, 8],
    ['any key of a member, where any will do', { key: { scopes: [] }, requires: { scope: 'any', level: 0 } }, 8],
    [
      'the user themselves, whatever the key is limited to',
      { key: { levels: {}, scopedProjects: [9], scopedOrganizations: [theirs] }, target: { kind: 'user' } },
      0,
    ],
    ['a member who was let into a private project', { key: plain, target: privateProject('member') }, 1],
    ['an administrator of the organization, whom nobody had to let in', { target: privateProject(null) }, 8],
    [
      'a member who administers a private project, where an administrator is needed',
      { key: plain, target: privateProject('admin'), requires: { scope: 'endpoint:read', level: 8 } },
      8,
    ],
    [
      'an owner who was let in is still an owner',
      { key: { levels: { [ours]: 15 } }, target: privateProject('admin') },
      15,
    ],
    ['an administrator where one is needed', { requires: { scope: 'endpoint:read', level: 8 } }, 8],
  ])('%s', (_name, changes, level) => expect(authorize(call(changes))).toEqual({ allowed: true, level }));

  test.each<[string, Wrong]>([
    ['both limits hold together', { key: { scopedProjects: [5], scopedOrganizations: [theirs] } }],
    ['a limit gives no right that its user has not', { key: { scopedProjects: [6] }, target: theirProject }],
    [
      'who was let into a private project and has left the organization',
      { key: { levels: {} }, target: privateProject('admin') },
    ],
    [
      'a member of a private project is no administrator of it',
      { key: plain, target: privateProject('member'), requires: { scope: 'endpoint:read', level: 8 } },
    ],
    ['any key of others, where any will do', { requires: { scope: 'any', level: 0 }, target: theirProject }],
    ['a route about the user needs its scope', { key: { scopes: [] }, target: { kind: 'user' } }],
    ['a star does not open what no key may', { key: { scopes: ['*'] }, requires: { scope: null, level: 0 } }],
  ])('but: %s', (_name, changes) =>
    expect(authorize(call(changes))).toMatchObject({ allowed: false, code: 'permission_denied' }),
  );

  test('declarations name what they require', () => {
    expect([
      requirementOf('personal-key'),
      requirementOf({ scope: 'survey:read' }),
      requirementOf({ scope: null, level: 8 }),
    ]).toEqual([
      { scope: 'any', level: 0 },
      { scope: 'survey:read', level: 0 },
      { scope: null, level: 8 },
    ]);
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
