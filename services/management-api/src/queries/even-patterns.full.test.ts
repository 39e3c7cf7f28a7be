import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { weighPattern } from '@millrace/query-language/work/pattern-weight.ts';
import { leastOf } from '@millrace/runtime/testing/least-of.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import fc from 'fast-check';
import { openTenant, type TestTenant } from '../test/tenant.ts';

// Patterns that are called even take texts of any length, so the engine must find all their matches in time that grows as the text.
// One that was called so by mistake takes a hundred times longer: it reads the rest of the text again at each place.
const bytesMax = 60_000;
const secondsMax = 1;
const words = ['a', 'ab', 'ba', 'abc', 'aab', 'abb', 'acb', 'abac', 'aabc', 'abx'];

let tenant: TestTenant;
beforeAll(async () => {
  tenant = await openTenant();
});
afterAll(() => tenant.close());

/** The longest that the engine finds all matches in texts of these words, in seconds. */
async function secondsOf(pattern: string, bytes = bytesMax): Promise<number> {
  const texts = words.map((word) => `concat(repeat('${word}', ${Math.floor(bytes / word.length)}), 'cab')`);
  const begun = performance.now();
  await tenant.send(randomTeamId(), {
    sql: `SELECT max(countMatches(text, {pattern:String})) FROM (SELECT arrayJoin([${texts.join(', ')}]) AS text) FORMAT TSV`,
    params: { pattern },
  });
  return (performance.now() - begun) / 1000;
}

describe('all matches of even patterns are found in linear time', () => {
  const { pattern } = fc.letrec<{ pattern: string; part: string; atom: string }>((tie) => ({
    atom: fc.oneof(
      { withCrossShrink: true, maxDepth: 3 },
      fc.constantFrom('a', 'b', 'c', 'ab', '[ab]', '[^a]', '[^b]', '.', '[^x]'),
      tie('pattern').map((inside) => `(${inside})`),
    ),
    part: fc
      .tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{2,}'))
      .map(([atom, sign]) => (sign !== '' && atom === 'ab' ? `(ab)${sign}` : atom + sign)),
    pattern: fc
      .array(
        fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
        { minLength: 1, maxLength: 3 },
      )
      .map((choices) => choices.join('|')),
  }));

  test('whatever the pattern', async () => {
    const even = fc
      .sample(pattern, { numRuns: 40_000, seed: 16 })
      .filter((one) => one.length <= 30 && /[*+,]/.test(one) && weighPattern(one).even);
    const tried = [...new Set(even)].slice(0, 500);
    expect(tried.length).toBeGreaterThan(400);
    const slow: [string, number][] = [];
    for (const one of tried) {
      const seconds = await leastOf(3, secondsMax, () => secondsOf(one));
      if (seconds > secondsMax) slow.push([one, seconds]);
    }
    expect(slow).toEqual([]);
  }, 900_000);

  test('and those that are not are found out', async () => {
    // Two thirds of the text take half of the time: with all of it a busy machine reaches the engine's limit.
    expect(await secondsOf('a(b[^x]*x)?', 40_000)).toBeGreaterThan(secondsMax);
  });
});
