import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { scenarios } from './scenarios.ts';

test('each file is one scenario of its name, and all are in the list, in the order of their numbers', () => {
  const files = readdirSync(join(import.meta.dirname, 'scenarios')).map((name) => name.replace(/\.ts$/, ''));
  expect(scenarios.map(({ name }) => name).sort()).toEqual(files.sort());
  const numbers = scenarios.map(({ number }) => number);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
});

test('every kind of fault, 1 to 16, has a scenario; the full tier runs each on one log at least', () => {
  expect([...new Set(scenarios.map(({ number }) => number))]).toEqual(
    Array.from({ length: 16 }, (_, index) => index + 1),
  );
  for (const { logs, fullTier = logs } of scenarios) {
    expect(fullTier.length).toBeGreaterThan(0);
    expect(logs).toEqual(expect.arrayContaining([...fullTier]));
  }
});
