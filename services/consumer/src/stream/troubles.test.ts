import { expect, test } from '@jest/globals';
import { createTroubles } from './troubles.ts';

test('an engine is in trouble as long as any stream waits for it; readiness says what was heard of it', () => {
  const troubles = createTroubles();
  const said = (): unknown[] => [troubles.check('clickhouse')(), troubles.check('postgres')()];
  troubles.note('main:0', 'clickhouse', new Error('away'));
  troubles.note('main:1', 'clickhouse', new Error('gone'));
  troubles.note('main:1', 'postgres', new Error('down'));
  expect(said()).toEqual(['away', 'down']);
  troubles.note('main:0', 'clickhouse', null);
  expect(said()).toEqual(['gone', 'down']);
  // The stream is somebody else's now.
  troubles.forget('main:1');
  expect(said()).toEqual([null, null]);
});
