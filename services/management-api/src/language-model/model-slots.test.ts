import { expect, test } from '@jest/globals';
import { createModelSlots } from './model-slots.ts';

const refused = { code: 'throttled', details: { retryAfterS: 5 } };

test('a project has its slots, and all projects together have theirs (contract/decisions 72)', async () => {
  const slots = createModelSlots({ slots: 3, perProject: 2 });
  const ends: (() => void)[] = [];
  const hold = (projectId: number) => slots.run(projectId, () => new Promise<void>((resolve) => ends.push(resolve)));
  const first = [hold(1), hold(1)];
  await expect(hold(1)).rejects.toMatchObject(refused);
  first.push(hold(2));
  await expect(hold(3)).rejects.toMatchObject(refused);
  for (const end of ends.splice(0)) end();
  await Promise.all(first);
  const again = [hold(1), hold(1), hold(3)];
  for (const end of ends) end();
  expect(await Promise.all(again)).toHaveLength(3);
});

test('work that fails gives its slot back', async () => {
  const slots = createModelSlots({ slots: 1, perProject: 1 });
  await expect(slots.run(1, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await slots.run(1, () => Promise.resolve('done'))).toBe('done');
});
