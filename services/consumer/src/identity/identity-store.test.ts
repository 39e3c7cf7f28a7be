import { expect, test } from '@jest/globals';
import type { Database } from '../database.ts';
import { createIdentityStore } from './identity-store.ts';
import type { IdentityPlan } from './identity-plan.ts';

const plan: IdentityPlan = {
  position: { stream: 's', last: 1n, was: null, removedBefore: [], keepsMoved: false },
  persons: { created: [], changed: [], merged: [], expected: [], added: [], personlessIds: [] },
  groups: [],
};

test.each([
  ['what was looked up has changed', 'MR409', true],
  ['unique key', '23505', true],
  ['foreign key', '23503', true],
  ['deadlock', '40P01', true],
  ['serialization', '40001', true],
  ['statement timeout', '57014', false],
  ['disk full', '53100', false],
  ['a value of a wrong form', '22P02', false],
])(
  'a write that fails of others is looked up again, any other failure is thrown: %s (%s)',
  async (_, code, isConflict) => {
    const fault = Object.assign(new Error(code), { code });
    const query = (): Promise<never> => Promise.reject(fault);
    const db: Database = { query, transaction: (work) => work({ query }) };
    let conflicts = 0;
    const writing = createIdentityStore(db, () => conflicts++).write(plan);
    if (isConflict) expect(await writing).toBeNull();
    else await expect(writing).rejects.toBe(fault);
    expect(conflicts).toBe(isConflict ? 1 : 0);
  },
);
