import { describe, expect, test } from '@jest/globals';
import { checkFigures, insightCases } from './insight-cases.ts';

const caseOf = (name: string) => {
  const found = insightCases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no case ${name}`);
  return found;
};
const weeks = (count: number) => ({ values: Array.from({ length: 8 }, () => ({ count })) });

/** Results of an insight, and rows of SQL for the same question. */
const sides: Readonly<Record<string, { results: object[]; rows: (string | number)[][] }>> = {
  trends: {
    results: [{ data: [3, 0, 1] }, { data: [1, 0, 1] }],
    rows: [
      ['2025-01-06', 'a', 1],
      ['2025-01-06', 'b', 3],
      ['2025-01-08', 'a', '1'],
      ['2025-01-08', 'b', '1'],
    ],
  },
  funnel: {
    results: [{ count: 7 }, { count: 5 }, { count: 2 }],
    rows: [0, 1, 2, 3].map((level) => [level, [9, 2, 3, 2][level] ?? 0]),
  },
  retention: {
    results: [weeks(1), weeks(2)],
    rows: Array.from({ length: 8 }, (_, week) => [
      [0, week, 1],
      [1, week, '2'],
    ]).flat(),
  },
  lifecycle: {
    results: [
      { status: 'new', count: 4 },
      { status: 'returning', count: 3 },
      { status: 'resurrecting', count: 2 },
      { status: 'dormant', count: -1 },
    ],
    rows: [
      ['2025-01-06', 'dormant', 1],
      ['2025-01-06', 'new', 1],
      ['2025-01-07', 'new', 3],
      ['2025-01-07', 'resurrecting', 2],
      ['2025-01-07', 'returning', 3],
    ],
  },
};

describe.each(Object.entries(sides))('figures of %s', (name, { results, rows }) => {
  test('are the same of both sides', () => expect(() => checkFigures(caseOf(name), results, rows)).not.toThrow());

  test('may not differ', () =>
    expect(() => checkFigures(caseOf(name), results, rows.slice(0, -1))).toThrow(/the figures are .*, and .* by hand/));

  test('may not be missing', () => expect(() => checkFigures(caseOf(name), [], [])).toThrow(/there are no figures/));
});

test('every case has both sides', () => expect(insightCases.map(({ name }) => name)).toEqual(Object.keys(sides)));
