import { hash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Queryable } from '../../database.ts';
import { createSymbolSets } from './symbol-sets.ts';

const name = { projectId: 7, ref: 'chunk' };
const row = (storageKey: string) => ({ ...name, id: 's', storageKey, release: null });

/** Sets whose statements answer when told to. */
function createRig() {
  const asked: PromiseWithResolvers<unknown[]>[] = [];
  const query = async () => {
    const answer = Promise.withResolvers<unknown[]>();
    asked.push(answer);
    return { rows: await answer.promise };
  };
  return { asked, sets: createSymbolSets({ query } as unknown as Queryable, { nowMs: () => 0 }) };
}

test.each([
  ['its ref', [{ topic: 'symbol_set' as const, projectId: 7, keys: ['chunk'] }]],
  ['its project', [{ topic: 'symbol_set' as const, projectId: 7, keys: [] }]],
  ['a release of its project', [{ topic: 'release' as const, projectId: 7, keys: [] }]],
  ['a feed with a gap', 'everything' as const],
])('a set that is replaced while it is read is read again: the change names %s', async (_of, changes) => {
  const { asked, sets } = createRig();
  const first = sets.find([name]);
  sets.onChange(changes);
  asked[0]?.resolve([row('symbolsets/old')]);
  expect((await first).get('7:chunk')?.storageKey).toBe('symbolsets/old');
  const second = sets.find([name]);
  asked[1]?.resolve([row('symbolsets/new')]);
  expect((await second).get('7:chunk')?.storageKey).toBe('symbolsets/new');
  await sets.find([name]);
  expect(asked).toHaveLength(2);
});

test('a change of another project is none', async () => {
  const { asked, sets } = createRig();
  const first = sets.find([name]);
  sets.onChange([{ topic: 'symbol_set', projectId: 70, keys: [] }]);
  asked[0]?.resolve([row('symbolsets/old')]);
  await first;
  await sets.find([name]);
  expect(asked).toHaveLength(1);
});

test('of very many names without a file those that were left out of a statement are listed by the next one', async () => {
  const listed: string[][] = [];
  const query = ({ values: [rows = ''] }: { values: string[] }) => {
    listed.push((JSON.parse(rows) as { ref: string }[]).map(({ ref }) => ref));
    return Promise.resolve({ rows: [] });
  };
  const sets = createSymbolSets({ query } as unknown as Queryable, { nowMs: () => 0 });
  const missing = Array.from({ length: 2_500 }, (_, index) => ({ projectId: 7, ref: `c${index}`, reason: 'none' }));
  for (let batch = 0; batch < 4; batch++) await sets.record({ used: [], missing, unreadable: [], late: [] });
  expect(listed.map((refs) => refs.length)).toEqual([1_000, 1_000, 500]);
  expect(new Set(listed.flat()).size).toBe(2_500);
});

test('a set of a long ref is known by it alone, and changes by it', async () => {
  const ref = `https://shop.example/${'a'.repeat(200)}.js`;
  const names = [ref, `${ref}?1`, `#${hash('sha256', ref, 'base64url')}`].map((one) => ({ projectId: 7, ref: one }));
  const { asked, sets } = createRig();
  const stored = { ...row('symbolsets/long'), ref };
  const find = async () => [...(await sets.find(names)).entries()].map(([key, { storageKey }]) => [key, storageKey]);
  const first = find();
  asked[0]?.resolve([stored]);
  expect(await first).toEqual([[`7:${ref}`, 'symbolsets/long']]);
  expect(await find()).toEqual([[`7:${ref}`, 'symbolsets/long']]);
  sets.onChange([{ topic: 'symbol_set', projectId: 7, keys: [ref] }]);
  const second = find();
  asked[1]?.resolve([]);
  expect([await second, asked.length]).toEqual([[], 2]);
});
