import { expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { changeOf } from './change-of.ts';

// The promise to clients of PostHog: a definition is never verified and hidden at once (contract/decisions 74).

const now = new Date('2026-02-03T04:05:06Z');
const by = { userId: 7, now };
const unverified = { verifiedAt: null };
const verified = { verifiedAt: new Date('2026-01-01T00:00:00Z') };

test('verified and hidden clear each other, and both at once are refused', () => {
  expect(changeOf({ verified: true }, unverified, by)).toEqual({ hidden: false, verifiedAt: now, verifiedById: 7 });
  expect(changeOf({ hidden: true }, verified, by)).toEqual({ hidden: true, verifiedAt: null, verifiedById: null });
  expect(changeOf({ verified: false }, verified, by)).toEqual({ verifiedAt: null, verifiedById: null });
  expect(changeOf({ hidden: false }, verified, by)).toEqual({ hidden: false });
  expect(() => changeOf({ verified: true, hidden: true }, unverified, by)).toThrow(AppError);
});

test('who verified first stays', () => {
  expect(changeOf({ verified: true }, verified, by)).toEqual({ hidden: false });
});

test('only what is given changes; no description is an empty one', () => {
  expect(changeOf({}, unverified, by)).toEqual({});
  expect(changeOf({ description: null, tags: [' Web', 'web', ' '] }, unverified, by)).toEqual({
    description: '',
    tags: ['web'],
  });
});
