import { expect, test } from '@jest/globals';
import type { Queryable } from '../../database.ts';
import { createRuleSource } from './rule-source.ts';

test('a rule that is made while those of its project are read acts from the next batch on; a broken one is disabled', async () => {
  const asked: string[] = [];
  const filters = { type: 'AND', values: [{ key: 'a', type: 'event', operator: 'regex', value: '(' }] };
  const { promise, resolve } = Promise.withResolvers<void>();
  const query = async ({ name }: { name: string }) => {
    asked.push(name);
    await promise;
    return { rows: [{ projectId: 7, rules: [{ id: 'r', filters, samplingRate: 1 }] }] };
  };
  const rules = createRuleSource({ query } as unknown as Queryable, { nowMs: () => 0 });
  const first = rules.load(new Set([7]));
  rules.onChange([{ topic: 'suppression_rule', projectId: 7, keys: [] }]);
  resolve();
  expect((await first).get(7)?.broken).toEqual([{ id: 'r', message: expect.stringContaining('no pattern of RE2') }]);
  await rules.load(new Set([7]));
  await rules.load(new Set([7]));
  const read = ['find-suppression-rules', 'disable-suppression-rule'];
  expect(asked).toEqual([...read, ...read]);
});
