import { describe, expect, test } from '@jest/globals';
import { nearestName } from './nearest-name.ts';

const known = ['count', 'countIf', 'event', 'events', 'timestamp', 'uniq', 'now'];

describe('the nearest name', () => {
  test.each([
    ['evnt', 'event'],
    ['COUTN', 'count'],
    ['cuont', 'count'],
    ['timestmap', 'timestamp'],
    ['unqi', 'uniq'],
    ['nwo', 'now'],
  ])('%s is meant to be %s: a letter too few, and two that changed places, are one mistake each', (name, meant) =>
    expect(nearestName(name, known)).toBe(meant),
  );

  test.each(['no', 'tnuoc', 'xyz', 'evnets_of_today'])('%s is none of them', (name) =>
    expect(nearestName(name, known)).toBeUndefined(),
  );
});
