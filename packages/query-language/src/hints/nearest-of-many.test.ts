import { describe, expect, test } from '@jest/globals';
import { nearestName } from '../nearest-name.ts';
import { nearestOfMany } from './nearest-of-many.ts';

const many = Array.from({ length: 10_000 }, (_, index) => `property_${index.toString(36)}_${(index * 7919) % 9973}`);
const known = [...many.slice(0, 5_000), 'revenue', '$browser', 'Signed Up', ...many.slice(5_000)];

describe('the nearest of thousands of names', () => {
  test.each([
    ['ravenue', 'revenue'],
    ['revneue', 'revenue'],
    ['REVENU', 'revenue'],
    ['browser', '$browser'],
    ['$browsr', '$browser'],
    ['signedup', 'Signed Up'],
  ])('%s is meant to be %s, wherever it is in the list', (name, meant) =>
    expect(nearestOfMany(name, known)).toBe(meant),
  );

  test.each(['zzz', 'a', '', 'rvn', 'something else'])('%j is none of them', (name) =>
    expect(nearestOfMany(name, known)).toBeUndefined(),
  );

  test('finds what a search through all of them finds', () => {
    for (const name of ['evnt', 'COUTN', 'timestmap', 'unqi', 'nwo', 'xyz', 'cuont', 'evnets_of_today']) {
      const names = ['count', 'countIf', 'event', 'events', 'timestamp', 'uniq', 'now'];
      expect([name, nearestOfMany(name, names)]).toEqual([name, nearestName(name, names)]);
    }
  });

  test('is of the same order for 10,000 names as for a few hundred, once it knows them', () => {
    const wanted = many.map((name) => `${name.slice(0, -1)}x`);
    nearestOfMany('x', known);
    const cpu = (names: readonly string[], times: number): number => {
      const before = process.cpuUsage();
      for (const name of wanted.slice(0, times)) nearestOfMany(name, names);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / times;
    };
    cpu(known, 200);
    expect(Math.min(cpu(known, 100), cpu(known, 100), cpu(known, 100))).toBeLessThan(2_000);
  });
});
