import { expect, test } from '@jest/globals';
import { modelLine } from './model.ts';

test('the report has the number of sequences, and whether one of them failed', () => {
  expect(modelLine({ rounds: 1, failed: 0, tookMs: 61_400 })).toBe('ok model: 2,000 random sequences in 61 s');
  expect(modelLine({ rounds: 3, failed: 1, tookMs: 9_000 })).toBe('FAILED model: 6,000 random sequences in 9 s');
});
