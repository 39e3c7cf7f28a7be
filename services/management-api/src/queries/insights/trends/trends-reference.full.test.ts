import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { readSpan, type DateSpan, type SpanOptions } from '../dates/date-span.ts';
import { daysOf, labelsOf } from '../dates/interval-texts.ts';
import { previousSpan } from '../dates/previous-span.ts';
import { runInsight } from '../testing/run-insight.ts';
import { rowsOfWorld, type World } from '../testing/world.ts';
import {
  displays,
  formulas,
  generatedBreakdown,
  generatedSeries,
  generatedTimes,
  type GeneratedBreakdown,
  type GeneratedSeries,
} from './testing/generated-questions.ts';
import { generatedNowMs, generatedWorld } from './testing/generated-worlds.ts';
import { referenceResults } from './testing/reference-results.ts';
import { trends } from './trends.ts';

let tenant: TestTenant;
const seed = 20_260;
const worlds = fc.sample(generatedWorld, { numRuns: 12, seed }).map((world) => ({ teamId: randomTeamId(), world }));

beforeAll(async () => {
  tenant = await openTenant();
  const rows = worlds.map(({ teamId, world }) => rowsOfWorld(teamId, world));
  const tables = ['events', 'persons', 'person_overrides'] as const;
  await tenant.insert(Object.fromEntries(tables.map((table) => [table, rows.flatMap((one) => one[table] ?? [])])));
});
afterAll(() => tenant?.close());

const question = fc.record({
  world: fc.nat({ max: worlds.length - 1 }),
  series: fc.array(generatedSeries, { minLength: 1, maxLength: 5, size: 'max' }),
  breakdown: generatedBreakdown,
  times: generatedTimes,
  display: fc.constantFrom(...displays),
  timeZone: fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York', 'Europe/Berlin'),
  compare: fc.constantFrom<object | undefined>(
    undefined,
    undefined,
    { compare: true },
    { compare: true, compare_to: '-1w' },
  ),
  smoothing: fc.constantFrom(undefined, 1, 3),
  formula: fc.option(fc.constantFrom(...formulas), { nil: undefined, freq: 2 }),
});

/** Bins of active persons also depend on events before the range. */
const isAskable = ({
  series,
  breakdown,
}: {
  series: readonly GeneratedSeries[];
  breakdown: GeneratedBreakdown;
}): boolean =>
  breakdown.parts.every(({ bins }) => bins === undefined) || series.every(({ math }) => !math.endsWith('_active'));

const totals: readonly (string | undefined)[] = ['BoldNumber', 'ActionsPie', 'WorldMap'];

function earliestOf({ events }: World, names: readonly (string | null)[]): string | undefined {
  const times = events.filter(({ event }) => names.includes(null) || names.includes(event)).map(({ at }) => at);
  const first = times.sort()[0];
  return first && `${first.slice(0, 19)}.${first.slice(20).padEnd(6, '0')}`;
}

describe('results are those of loops over all events', () => {
  test.each(fc.sample(question.filter(isAskable), { numRuns: 120, seed }).map((one, index) => [index, one] as const))(
    'case %i',
    async (_, one) => {
      const { series, breakdown, times, display, timeZone, compare, smoothing } = one;
      const { teamId, world } = worlds[one.world] ?? { teamId: 0, world: { events: [] } };
      const isTotal = totals.includes(display);
      const formula = series.length === 2 ? one.formula : undefined;
      const earliest = earliestOf(
        world,
        series.map(({ event }) => event),
      );
      const definition = {
        ...times,
        series: series.map(({ node }) => node),
        breakdownFilter: breakdown.breakdownFilter,
        compareFilter: compare,
        trendsFilter: { display, smoothingIntervals: smoothing, formula: formula?.[0] },
      };
      const { results } = await runInsight(tenant, teamId, trends, definition, {
        nowMs: generatedNowMs,
        timeZone,
        earliest,
      });
      const options: SpanOptions = {
        unit: isTotal ? 'day' : (times.interval ?? 'day'),
        now: { nowMs: generatedNowMs, timeZone },
        earliest,
        rule: 'trends',
        exactTotal: display === 'BoldNumber',
      };
      const current = readSpan(times.dateRange, options);
      const spans: [string | undefined, DateSpan][] =
        compare === undefined
          ? [[undefined, current]]
          : [
              ['current', current],
              ['previous', previousSpan(current, times.dateRange, compare, options)],
            ];
      const expected = referenceResults(world, {
        series,
        breakdown,
        timeZone,
        isTotal,
        isCumulative: display === 'ActionsLineGraphCumulative',
        smoothing: smoothing ?? 1,
        formula,
        spans: spans.map(([label, span]) => ({
          label,
          span,
          texts: isTotal
            ? { days: [], labels: undefined }
            : { days: daysOf(span, timeZone), labels: labelsOf(span, timeZone) },
        })),
      });
      expect({ definition, timeZone, results: shown(results as object[]) }).toEqual({
        definition,
        timeZone,
        results: expected.map((result) => close(result)),
      });
    },
  );
});

const shown = (results: object[]) =>
  results.map((result) => {
    const { action: _, ...rest } = result as { action: unknown };
    return rest;
  });

/** Sums of fractions depend on their order. */
function close(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isInteger(value)) return expect.closeTo(value, 6);
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, close(member)]));
}
