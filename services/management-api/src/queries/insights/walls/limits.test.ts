import { describe, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { Budget, compileUnits } from '@millrace/query-language/budget.ts';
import { prepareStatement } from '@millrace/query-language/compile.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import { checkedDefinition } from '../definition/checked-definition.ts';
import { insightKinds } from '../insight-kinds.ts';
import { insightRowsMax, type InsightContext, type InsightKind } from '../insight-kind.ts';
import { checkInsight } from '../../compile/prepare-insight.ts';
import { typicalDefinitions } from '../testing/typical-definitions.ts';

// Limits of size and work of definitions (contract/insights 14).
const context: InsightContext = { nowMs: Date.UTC(2025, 0, 20), timeZone: 'Europe/Berlin', testAccounts: [] };
const numbered = <Value>(count: number, part: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => part(index));

const filters = (count: number) =>
  numbered(count, (index) => ({ key: `k${index % 50}`, value: [`v${index}`], operator: 'exact', type: 'event' }));
const nodes = (count: number, more: object = {}) =>
  numbered(count, (index) => ({ kind: 'EventsNode', event: `e${index}`, ...more }));
const breakdowns = (count: number, type = 'event') => numbered(count, (index) => ({ property: `b${index}`, type }));

/** Units of the budget that a definition takes when it is printed; `refused`: it is too large. */
function unitsOf(kindName: string, definition: object): number | 'refused' {
  const kind = insightKinds.get(kindName) as InsightKind;
  const checked = checkedDefinition({ ...typicalDefinitions[kindName], ...definition, kind: kindName }, kind.schema);
  const budget = new Budget();
  try {
    const { statement } = kind.prepare(checked as never, context);
    prepareStatement(statement()).print({ timeZone: context.timeZone }, { rowsMax: insightRowsMax }, budget);
    return compileUnits - budget.left;
  } catch (error) {
    if (error instanceof QueryError && error.code === 'query_too_large') return 'refused';
    throw error;
  }
}

const large: [name: string, kind: string, definition: object, answer: 'compiles' | 'refused'][] = [
  [
    '26 series, 3 breakdowns',
    'TrendsQuery',
    { series: nodes(26), breakdownFilter: { breakdowns: breakdowns(3) } },
    'compiles',
  ],
  [
    '26 series of two periods, 3 breakdowns of persons',
    'TrendsQuery',
    {
      series: nodes(26, { math: 'dau' }),
      compareFilter: { compare: true },
      breakdownFilter: { breakdowns: breakdowns(3, 'person') },
    },
    'compiles',
  ],
  ['200 filters', 'TrendsQuery', { properties: filters(200) }, 'compiles'],
  [
    '26 series, 3 breakdowns, 200 filters',
    'TrendsQuery',
    { series: nodes(26), breakdownFilter: { breakdowns: breakdowns(3) }, properties: filters(200) },
    'refused',
  ],
  ['20 steps, 200 filters', 'FunnelsQuery', { series: nodes(20), properties: filters(200) }, 'compiles'],
  [
    '20 steps, 10 exclusions, a breakdown',
    'FunnelsQuery',
    {
      series: nodes(20),
      breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
      funnelsFilter: {
        exclusions: nodes(10).map((node, index) => ({
          ...node,
          event: `x${index}`,
          funnelFromStep: 0,
          funnelToStep: 19,
        })),
      },
    },
    'compiles',
  ],
  ['26 series of two periods', 'StickinessQuery', { series: nodes(26), compareFilter: { compare: true } }, 'compiles'],
  [
    '200 groupings and 20 cleaning rules',
    'PathsQuery',
    {
      pathsFilter: {
        pathGroupings: numbered(200, (index) => `/g${index}/*`),
        localPathCleaningFilters: numbered(20, (index) => ({ regex: `x${index}`, alias: 'y' })),
      },
    },
    'compiles',
  ],
  [
    '200 groupings and cleaning rules',
    'PathsQuery',
    {
      pathsFilter: {
        pathGroupings: numbered(200, (index) => `/g${index}/*`),
        localPathCleaningFilters: numbered(200, (index) => ({ regex: `x${index}`, alias: 'y' })),
      },
    },
    'refused',
  ],
];

/** CPU time in ms, the least of several. */
function measureMs(work: () => unknown, rounds: number, times = 1): number {
  let leastMs = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    for (let time = 0; time < times; time += 1) work();
    const { user, system } = process.cpuUsage(before);
    leastMs = Math.min(leastMs, (user + system) / 1_000 / times);
  }
  return leastMs;
}

describe('the budget of a statement', () => {
  // A quiet machine takes a third.
  test.each(large)('%s of a %s end soon', (_, kind, definition, answer) => {
    expect(typeof unitsOf(kind, definition) === 'number' ? 'compiles' : 'refused').toBe(answer);
    expect(measureMs(() => unitsOf(kind, definition), 4)).toBeLessThan(250);
  });

  test.each(Object.keys(typicalDefinitions))('a %s takes little of it, in about half a millisecond', (kind) => {
    expect(unitsOf(kind, {})).toBeLessThan(compileUnits / 50);
    expect(measureMs(() => unitsOf(kind, {}), 10, 20)).toBeLessThan(5);
  });
});

/** The refusal of a definition that is about to be saved. */
function refusalOf(kindName: string, definition: object): string {
  try {
    checkInsight(insightKinds.get(kindName) as InsightKind, {
      ...typicalDefinitions[kindName],
      ...definition,
      kind: kindName,
    });
    return 'none';
  } catch (error) {
    return error instanceof AppError && error.details.attr === 'query' ? String(error.details.detail) : String(error);
  }
}

describe('sizes', () => {
  test.each(Object.keys(typicalDefinitions))('64 KiB of a %s', (kind) => {
    const ofBytes = (bytes: number) => {
      const fields = { ...typicalDefinitions[kind], kind, tags: '' };
      return { tags: 'é'.repeat(Math.floor((bytes - Buffer.byteLength(JSON.stringify(fields))) / 2)) };
    };
    expect(refusalOf(kind, ofBytes(65_536))).toBe('none');
    expect(refusalOf(kind, ofBytes(65_540))).toMatch(/64 KiB/);
  });

  test('26 series, 20 steps, 3 breakdowns', () => {
    expect(refusalOf('TrendsQuery', { series: nodes(27) })).toMatch(/query\.series/);
    expect(refusalOf('StickinessQuery', { series: nodes(27) })).toMatch(/query\.series/);
    expect(refusalOf('FunnelsQuery', { series: nodes(21) })).toMatch(/query\.series.*20/);
    expect(refusalOf('TrendsQuery', { breakdownFilter: { breakdowns: breakdowns(4) } })).toMatch(/At most 3/);
    expect(refusalOf('RetentionQuery', { breakdownFilter: { breakdowns: breakdowns(2) } })).toMatch(/At most 1/);
    expect(refusalOf('FunnelsQuery', { breakdownFilter: { breakdowns: breakdowns(2) } })).toMatch(/At most 1/);
  });

  test.each(['TrendsQuery', 'FunnelsQuery', 'LifecycleQuery', 'StickinessQuery'])(
    '10,000 intervals of a %s',
    (kind) => {
      const minutes = (date_to: string) => ({
        dateRange: { date_from: '2025-01-06 00:00:00', date_to, explicitDate: true },
        interval: 'minute',
        ...(kind === 'FunnelsQuery' && { funnelsFilter: { funnelVizType: 'trends' } }),
      });
      expect(refusalOf(kind, minutes('2025-01-12 22:39:59'))).toBe('none');
      expect(refusalOf(kind, minutes('2025-01-12 22:40:00'))).toMatch(/interval/);
    },
  );
});

test('a funnel by day and value is refused when its reply holds more than 2,000,000 numbers', () => {
  const kind = insightKinds.get('FunnelsQuery') as InsightKind;
  const definition = {
    ...typicalDefinitions['FunnelsQuery'],
    kind: 'FunnelsQuery',
    dateRange: { date_from: '2025-01-06 00:00:00', date_to: '2025-01-12 22:39:59', explicitDate: true },
    interval: 'minute',
    breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
    funnelsFilter: { funnelVizType: 'trends' },
  };
  const question = kind.prepare(checkedDefinition(definition, kind.schema) as never, context);
  const rows = (count: number) => numbered(count, (index) => [`v${index}`, false, [[1_736_121_600, 2, 1]]]);
  expect(question.shape(rows(200)).results).toHaveLength(200);
  expect(() => question.shape(rows(201))).toThrow(/more than 2,000,000 numbers: 201 series of 10,000 intervals/);
});

test('a trend that is too large names breakdown and interval, whether it is smoothed or not', () => {
  const kind = insightKinds.get('TrendsQuery') as InsightKind;
  const refusalWith = (smoothingIntervals: number, rows: number) => () => {
    const definition = {
      ...typicalDefinitions['TrendsQuery'],
      kind: 'TrendsQuery',
      dateRange: { date_from: '2025-01-06 00:00:00', date_to: '2025-01-12 22:39:59', explicitDate: true },
      interval: 'minute',
      breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
      trendsFilter: { smoothingIntervals },
    };
    const question = kind.prepare(checkedDefinition(definition, kind.schema) as never, context);
    return question.shape(numbered(rows, (index) => [0, false, [], [], `v${index}`]));
  };
  expect(refusalWith(1, 10_001)).toThrow(/more than 2,000,000 numbers: 10,001 series of 10,000 intervals/);
  expect(refusalWith(60, 201)).toThrow(/more than 2,000,000 numbers/);
  expect(refusalWith(60, 200)).toThrow(/query\.trendsFilter\.smoothingIntervals: 60 intervals are too many/);
});
