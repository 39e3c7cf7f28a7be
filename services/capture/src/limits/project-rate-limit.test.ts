import { describe, expect, test } from '@jest/globals';
import { heldMemory } from '@millrace/runtime/testing/held-memory.ts';
import { createProjectRateLimit } from './project-rate-limit.ts';

const share = { perSecond: 10, burst: 20 };

describe('a share of the main lane for each project', () => {
  test('a flood over many ids keeps its share and no more, and leaves another project all of its own', () => {
    const { allows } = createProjectRateLimit(share);
    let inMain = 0;
    for (let number = 0; number < 10_000; number++) if (allows('flood', `flood:${number}`, number / 10)) inMain++;
    expect(inMain).toBeGreaterThanOrEqual(29);
    expect(inMain).toBeLessThanOrEqual(30);
    for (let number = 0; number < 20; number++) expect(allows('other', `other:${number}`, 1_000)).toBe(true);
  });

  test('one hot id flows over whole, so that its events stay in order, and comes back a minute later', () => {
    const { allows } = createProjectRateLimit(share);
    const responses = Array.from({ length: 25 }, () => allows('t', 't:hot', 0));
    expect(responses.lastIndexOf(true)).toBe(19);
    expect([allows('t', 't:hot', 30_000), allows('t', 't:hot', 59_999), allows('t', 't:hot', 60_000)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('while an id flows over, the share is there for the others of its project', () => {
    const { allows } = createProjectRateLimit(share);
    for (let count = 0; count < 21; count++) allows('t', 't:hot', 0);
    for (let count = 0; count < 100; count++) allows('t', 't:hot', 1_000);
    expect(Array.from({ length: 10 }, (_, number) => allows('t', `t:${number}`, 1_000))).toEqual(Array(10).fill(true));
  });

  test('a flood of ids does not fill the memory', () => {
    const { allows } = createProjectRateLimit({ perSecond: 0.001, burst: 1 });
    const before = heldMemory().heapUsed;
    for (let number = 0; number < 1_000_000; number++) allows('t', `t:${number}`, 0);
    expect(heldMemory().heapUsed - before).toBeLessThan(30_000_000);
    expect(allows('t', 't:999999', 1)).toBe(false);
  });
});
