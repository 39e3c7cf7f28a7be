import { expect, test } from '@jest/globals';
import { parseStat } from './process-cpu.ts';

test('times of a process are found behind a name with spaces and parentheses', () => {
  const line = '4711 (a) b (c) S 12 4711 4711 0 -1 4194560 100 0 0 0 250 50 7 3 20 0 12 0 1000 2000 300\n';
  expect(parseStat(line)).toEqual({ parentPid: 12, ownSeconds: 3, endedChildrenSeconds: 0.1 });
});
