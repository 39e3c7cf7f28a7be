import { describe, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { readInviteBody, readTargetEmail } from './invite-body.ts';
import {
  checkInvite,
  checkMayChange,
  combineInvites,
  giversOf,
  isOfDomains,
  acceptErrorOf,
  type AcceptFacts,
  type InviteFacts,
} from './invite-rules.ts';
import { isExpired } from './invite.ts';

function refused(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.status} ${error.code} ${error.details.attr ?? null}`;
  }
}

describe('an invite is checked in this order (contract/orgs-errors 2.2)', () => {
  const facts: InviteFacts = { inviterLevel: 1, projects: [], domains: null, isMember: false };
  const wanted = { level: 1 as const, grants: [], targetEmail: 'bob@x.example' };
  const grants = [{ id: 9, level: 'member' as const }];

  test.each<[string, () => void, string | null]>([
    ['nothing is wrong', () => checkInvite(wanted, facts), null],
    [
      'everything is wrong: the level first',
      () => checkInvite({ ...wanted, level: 8, grants }, { ...facts, domains: [], isMember: true }),
      '403 permission_denied null',
    ],
    [
      'then the projects',
      () => checkInvite({ ...wanted, grants }, { ...facts, domains: [], isMember: true }),
      '400 invalid_input private_project_access',
    ],
    [
      'then the domain',
      () => checkInvite(wanted, { ...facts, domains: ['y.example'], isMember: true }),
      '400 invalid_input target_email',
    ],
    [
      'then the member',
      () => checkInvite(wanted, { ...facts, domains: ['x.example'], isMember: true }),
      '400 invalid_input null',
    ],
  ])('%s', (_name, check, expected) => expect(refused(check)).toBe(expected));

  test.each<[inviter: number, may: number[]]>([
    [1, [1]],
    [8, [1, 8]],
    [15, [1, 8, 15]],
  ])('a member of level %d may invite at %j', (inviterLevel, may) => {
    const levels = ([1, 8, 15] as const).filter(
      (level) => refused(() => checkInvite({ ...wanted, level }, { ...facts, inviterLevel })) === null,
    );
    expect(levels).toEqual(may);
  });

  test.each<[string, string[] | null, boolean]>([
    ['a@x.example', null, true],
    ['a@X.Example', ['x.example'], true],
    ['a@sub.x.example', ['x.example'], false],
    ['a@x.example', [], false],
  ])('%s is of the domains %j: %s', (address, domains, expected) =>
    expect(isOfDomains(address, domains)).toBe(expected),
  );
});

test.each([
  ['Bob.B@EXAMPLE.Com', 'Bob.B@example.com'],
  ['a+B@x.example', 'a+B@x.example'],
])('of %s the domain is written in lower case, the rest as it is', (text, expected) =>
  expect(readTargetEmail(text)).toBe(expected),
);

test.each(['a@b@c.example', 'a', 'a b@x.example', 'a@x.example\r\nBcc: b@x.example', 'a@x.example,b@x.example'])(
  '%j is no address',
  (text) => {
    expect(refused(() => readTargetEmail(text))).toBe('400 invalid_input target_email');
  },
);

test('what a body leaves out has its default', () => {
  const defaults = {
    firstName: '',
    level: 1,
    message: null,
    grants: [],
    sendEmail: true,
    combine: false,
    isSetupDelegation: false,
  };
  expect(readInviteBody({ target_email: 'a@x.example' })).toEqual({ targetEmail: 'a@x.example', ...defaults });
});

test('invites combine to the highest level, and of each project the highest', () => {
  const pending = [
    {
      level: 8 as const,
      grants: [
        { id: 1, level: 'member' as const },
        { id: 2, level: 'admin' as const },
      ],
    },
    {
      level: 1 as const,
      grants: [
        { id: 1, level: 'none' as const },
        { id: 3, level: 'member' as const },
      ],
    },
  ];
  expect(combineInvites({ level: 1, grants: [{ id: 2, level: 'member' }] }, pending)).toEqual({
    level: 8,
    grants: [
      { id: 2, level: 'admin' },
      { id: 1, level: 'member' },
      { id: 3, level: 'member' },
    ],
  });
  expect(combineInvites({ level: 15, grants: [] }, pending).level).toBe(15);
});

describe('a combined invite needs the rights of all who gave what its maker could not', () => {
  const free = { level: 1 as const, grants: [], createdById: 7, givenByIds: [] };
  const ofAdmin = { ...free, level: 8 as const, createdById: 8, givenByIds: [9] };
  const withProject = { ...free, grants: [{ id: 1, level: 'member' as const }] };
  test.each<[string, number, Parameters<typeof giversOf>[2], number[]]>([
    ['nothing is combined', 1, [], []],
    ['a member combines what any member gives', 1, [free], []],
    ['a member combines a higher level', 1, [ofAdmin, free], [8, 9, 7]],
    ['a member combines a project', 1, [withProject], [7]],
    ['an administrator could have given all of it', 8, [ofAdmin, withProject], []],
    ['an administrator combines an invite of an owner', 8, [{ ...ofAdmin, level: 15 }], [8, 9]],
    ['the command line made it', 1, [{ ...ofAdmin, createdById: null }], [9]],
  ])('%s', (_name, makerLevel, pending, expected) => {
    expect(giversOf(makerLevel, combineInvites({ level: 1, grants: [] }, pending), pending)).toEqual(expected);
  });
});

test.each<[level: number, userId: number, string | null]>([
  [1, 7, null],
  [1, 8, '403 permission_denied null'],
  [8, 8, null],
  [15, 8, null],
])(
  'level %d, user %d: an invite of user 7 is changed by that user and by administrators',
  (level, userId, expected) => {
    expect(refused(() => checkMayChange({ createdById: 7 }, { level, userId }))).toBe(expected);
  },
);

test('an invite expires when it is older than its life, not when it is as old', () => {
  const createdAt = new Date(1_000_000);
  expect([0, 1].map((late) => isExpired({ createdAt }, { nowMs: 1_000_000 + 5_000 + late, lifeMs: 5_000 }))).toEqual([
    false,
    true,
  ]);
});

describe('accepting is refused in this order (contract/orgs-errors 2.2)', () => {
  const good: AcceptFacts = {
    targetEmail: 'Bob@x.example',
    isExpired: false,
    isMailed: true,
    caller: { email: 'bob@X.example', isMember: false },
    address: 'user',
  };
  test.each<[string, AcceptFacts, string | undefined]>([
    ['their own invite, whatever the case of its letters', good, undefined],
    ['nobody with that address yet', { ...good, caller: null, address: 'unknown' }, undefined],
    [
      'another address, and all else wrong',
      { ...good, isExpired: true, caller: { email: 'eve@x.example', isMember: true }, address: 'member' },
      'invalid_recipient',
    ],
    [
      'expired, and all else wrong',
      { ...good, isExpired: true, caller: { email: 'bob@x.example', isMember: true }, address: 'member' },
      'expired',
    ],
    ['expired, by the link', { ...good, isExpired: true, caller: null, address: 'user' }, 'expired'],
    ['by the link, with an account', { ...good, caller: null, address: 'user' }, 'account_exists'],
    [
      'by a mailed link, with an account that nobody has proven',
      { ...good, caller: null, address: 'unproven' },
      undefined,
    ],
    [
      'by a copied link, with the same',
      { ...good, isMailed: false, caller: null, address: 'unproven' },
      'account_exists',
    ],
    ['by the link, as a member', { ...good, caller: null, address: 'member' }, 'account_exists'],
    [
      'a member already',
      { ...good, caller: { email: 'bob@x.example', isMember: true }, address: 'member' },
      'user_already_member',
    ],
    ['somebody else is a member with the address', { ...good, address: 'member' }, 'existing_email_address'],
  ])('%s', (_name, facts, expected) => expect(acceptErrorOf(facts)).toBe(expected));
});
