import { describe, expect, test } from '@jest/globals';
import { levelError, removalError, touchError } from './member-rules.ts';

const [MEMBER, ADMIN, OWNER] = [1, 8, 15];

describe('the right to give levels (contract/orgs-errors 2.4)', () => {
  const others = 'Only administrators may change or remove other members.';
  const above = 'You may not change or remove a member whose level is above your own.';
  const own = 'You may not change your own level.';
  const makesOwner = 'Only an owner may make another member an owner.';
  test.each([
    // caller, member, level that is sent → error, or null
    [MEMBER, MEMBER, ADMIN, others],
    [MEMBER, OWNER, MEMBER, others],
    [MEMBER, MEMBER, undefined, others],
    [MEMBER, 'self', undefined, null],
    [MEMBER, 'self', MEMBER, own],
    [MEMBER, 'self', OWNER, own],
    [ADMIN, OWNER, MEMBER, above],
    [ADMIN, OWNER, undefined, above],
    [ADMIN, 'self', ADMIN, own],
    [ADMIN, 'self', undefined, null],
    [ADMIN, MEMBER, undefined, null],
    [ADMIN, MEMBER, MEMBER, null],
    [ADMIN, MEMBER, ADMIN, null],
    [ADMIN, ADMIN, MEMBER, null],
    [ADMIN, MEMBER, OWNER, makesOwner],
    [ADMIN, ADMIN, OWNER, makesOwner],
    [OWNER, 'self', MEMBER, own],
    [OWNER, 'self', OWNER, own],
    [OWNER, MEMBER, OWNER, null],
    [OWNER, ADMIN, MEMBER, null],
    [OWNER, OWNER, MEMBER, null],
  ] as const)('%s asks about %s, level %s: %s', (requesterLevel, target, newLevel, detail) => {
    const isSelf = target === 'self';
    const refusal = levelError({
      requesterLevel,
      targetLevel: isSelf ? requesterLevel : target,
      isSelf,
      newLevel,
      owners: 2,
    });
    expect(refusal ?? null).toEqual(detail && { code: 'permission_denied', detail });
  });

  test('nobody gives more than they have, whatever levels there may be one day', () => {
    expect(
      levelError({ requesterLevel: ADMIN, targetLevel: MEMBER, isSelf: false, newLevel: 9, owners: 1 })?.detail,
    ).toBe('You may not give a level above your own.');
  });

  test('the last owner stays one', () => {
    const change = { requesterLevel: OWNER, targetLevel: OWNER, isSelf: false, owners: 1 };
    expect(levelError({ ...change, newLevel: ADMIN })).toEqual({
      code: 'invalid_input',
      detail: 'An organization must have at least one owner.',
    });
    expect(levelError({ ...change, newLevel: OWNER })).toBeUndefined();
    expect(levelError({ ...change, newLevel: undefined })).toBeUndefined();
  });
});

describe('the right to remove members (contract/orgs-errors 2.4, contract/decisions 8)', () => {
  test.each([
    [MEMBER, 'self', null],
    [ADMIN, 'self', null],
    [OWNER, 'self', 'invalid_input'],
    [MEMBER, MEMBER, 'permission_denied'],
    [MEMBER, OWNER, 'permission_denied'],
    [ADMIN, MEMBER, null],
    [ADMIN, ADMIN, null],
    [ADMIN, OWNER, 'permission_denied'],
    [OWNER, ADMIN, null],
    [OWNER, OWNER, 'invalid_input'],
  ] as const)('%s removes %s: %s', (requesterLevel, target, code) => {
    const isSelf = target === 'self';
    const encounter = { requesterLevel, targetLevel: isSelf ? requesterLevel : target, isSelf };
    expect(removalError(encounter)?.code ?? null).toBe(code);
    // Rules that do not depend on the change are checked before.
    expect(touchError(encounter)?.code ?? null).toBe(code === 'permission_denied' ? code : null);
  });
});
