import { expect, test } from '@jest/globals';
import { createReaderPace } from './reader-pace.ts';

function pace() {
  let now = 1_000;
  const reader = createReaderPace(() => now);
  /** Takes so many bytes after so many seconds. */
  const takes = (bytes: number, seconds: number): number => {
    reader.handed();
    now += seconds * 1000;
    reader.took(bytes);
    return reader.behindSeconds();
  };
  return { reader, takes, wait: (seconds: number) => (now += seconds * 1000) };
}

// The promise to other tenants: a place is not held by drops. The promise to a slow reader: who reads at all is left alone.
test('who takes nothing is behind by all the time that it was waited for', () => {
  const { reader, wait } = pace();
  wait(100);
  expect(reader.behindSeconds()).toBe(0);
  reader.handed();
  wait(30);
  expect(reader.behindSeconds()).toBe(30);
});

test('a drop now and then is hardly better than nothing', () => {
  const { takes } = pace();
  for (let drop = 0; drop < 4; drop++) takes(1, 29);
  expect(takes(1, 29)).toBeGreaterThan(144);
});

test('a pause is made up for by what is read later, and no reading saves up for a pause', () => {
  const { takes } = pace();
  expect(takes(65_536, 24)).toBeCloseTo(20);
  expect(takes(65_536, 1)).toBeCloseTo(17);
  for (let chunk = 0; chunk < 1_000; chunk++) takes(65_536, 1);
  expect(takes(65_536, 24)).toBeCloseTo(20);
});

test('the least rate, however long', () => {
  const { takes } = pace();
  for (let second = 0; second < 600; second++) expect(takes(16_384, 1)).toBe(0);
});
