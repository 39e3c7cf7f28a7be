import { expect, test } from '@jest/globals';
import { createReaderPace } from './reader-pace.ts';

function pace() {
  let now = 1_000;
  const reader = createReaderPace(() => now);
  /** Takes `bytes` after `seconds`; returns the seconds behind. */
  const takes = (bytes: number, seconds: number): number => {
    reader.handed();
    now += seconds * 1000;
    reader.took(bytes);
    return reader.behindSeconds();
  };
  return { reader, takes, wait: (seconds: number) => (now += seconds * 1000) };
}

// The promise to other tenants: a reader that takes single bytes does not keep its slot. The promise to slow readers: the minimum rate is enough.
test('a reader that takes nothing is behind by the whole wait', () => {
  const { reader, wait } = pace();
  wait(100);
  expect(reader.behindSeconds()).toBe(0);
  reader.handed();
  wait(30);
  expect(reader.behindSeconds()).toBe(30);
});

test('a byte now and then is hardly better than nothing', () => {
  const { takes } = pace();
  for (let drop = 0; drop < 4; drop++) takes(1, 29);
  expect(takes(1, 29)).toBeGreaterThan(144);
});

test('reading after a pause makes up for it, and reading before a pause does not', () => {
  const { takes } = pace();
  expect(takes(65_536, 24)).toBeCloseTo(20);
  expect(takes(65_536, 1)).toBeCloseTo(17);
  for (let chunk = 0; chunk < 1_000; chunk++) takes(65_536, 1);
  expect(takes(65_536, 24)).toBeCloseTo(20);
});

test('a reader at the minimum rate is never behind', () => {
  const { takes } = pace();
  for (let second = 0; second < 600; second++) expect(takes(16_384, 1)).toBe(0);
});
