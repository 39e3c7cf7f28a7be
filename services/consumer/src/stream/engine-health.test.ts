import { expect, test } from '@jest/globals';
import { createEngineHealth } from './engine-health.ts';

test('an engine is unhealthy as long as any stream waits for it; readiness shows its last error', () => {
  const engineHealth = createEngineHealth();
  const said = (): unknown[] => [engineHealth.check('clickhouse')(), engineHealth.check('postgres')()];
  engineHealth.report('main:0', 'clickhouse', new Error('away'));
  engineHealth.report('main:1', 'clickhouse', new Error('gone'));
  engineHealth.report('main:1', 'postgres', new Error('down'));
  expect(said()).toEqual(['away', 'down']);
  engineHealth.report('main:0', 'clickhouse', null);
  expect(said()).toEqual(['gone', 'down']);
  // The stream is somebody else's now.
  engineHealth.forget('main:1');
  expect(said()).toEqual([null, null]);
});
