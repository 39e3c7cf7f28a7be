import { expect, test } from '@jest/globals';
import { readProjectQuery } from './project-filter.ts';

const ofOrganization = { organizationId: 'o', deletedAt: null };
const admin = { organizationId: 'o', userId: 7, level: 8 };
const named = (text: string) => ({ name: { contains: text, mode: 'insensitive' } });

test.each([
  [{}, []],
  [{ search: ' web,  Shop ' }, [named('web'), named('Shop')]],
  [{ search: '50%_\\' }, [named('50\\%\\_\\\\')]],
  [{ tags: ' A, b,,' }, [{ tags: { hasSome: ['a', 'b'] } }]],
  [{ tags: '["A,b", " c "]', tags_match: 'all' as const }, [{ tags: { hasEvery: ['a,b', 'c'] } }]],
  [{ tags: '["a' }, [{ tags: { hasSome: ['["a'] } }]],
  [{ tags: ' , ', tags_match: 'all' as const }, []],
])('%j requests %j', (query, AND) => expect(readProjectQuery(query, admin)).toEqual({ ...ofOrganization, AND }));

test('plain members see what is open, and what they were let into', () => {
  const visible = {
    OR: [{ accessControl: false }, { access: { some: { userId: 7, level: { in: ['member', 'admin'] } } } }],
  };
  expect(readProjectQuery({}, { ...admin, level: 1 })).toEqual({ ...ofOrganization, AND: [visible] });
});

test('a search is as long as one of members at most', () => {
  expect(() => readProjectQuery({ search: 'x'.repeat(201) }, admin)).toThrow('at most 200');
});
