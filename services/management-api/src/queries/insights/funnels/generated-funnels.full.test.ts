import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { readSpan } from '../dates/date-span.ts';
import { runInsight } from '../testing/run-insight.ts';
import { rowsOfWorld } from '../testing/world.ts';
import type { FunnelDefinition } from './funnel-schema.ts';
import { funnels } from './funnels.ts';
import { funnelDefinition, funnelWorld, seeded } from './testing/funnel-cases.ts';
import { referenceFunnel, type ReferenceResult } from './testing/reference-funnel.ts';

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
});
afterAll(() => tenant?.close());

const [worlds, definitions, persons] = [6, 40, 40];
const zones = ['UTC', 'Asia/Kolkata', 'America/New_York', 'Europe/Berlin'];
const nowMs = Date.UTC(2025, 3, 20);

test.each(Array.from({ length: worlds }, (_, seed) => seed))(
  'funnels over the generated world %i are those of the reference',
  async (seed) => {
    const random = seeded(seed + 1);
    const world = funnelWorld(random, persons);
    const team = randomTeamId();
    await tenant.insert(rowsOfWorld(team, world));
    const timeZone = zones[seed % zones.length] ?? 'UTC';
    for (let at = 0; at < definitions; at += 1) {
      const definition = { kind: 'FunnelsQuery', ...funnelDefinition(random) } as unknown as FunnelDefinition;
      const span = readSpan(definition.dateRange, {
        unit: definition.interval ?? 'day',
        now: { nowMs, timeZone },
        rule: 'exact',
      });
      const expected = referenceFunnel(world, definition, span);
      const { results } = await runInsight(tenant, team, funnels, { ...definition }, { nowMs, timeZone });
      expect({ definition, ...figures(results, definition) }).toEqual({
        definition,
        ...figuresOf(expected, definition),
      });
    }
  },
  240_000,
);

const rounded = (number: number | null): number | null => (number === null ? null : Math.round(number * 1e6) / 1e6);

type Step = Readonly<Record<string, unknown>>;

/** Results in the form of the reference. */
function figures(results: unknown, { funnelsFilter = {}, breakdownFilter, series }: FunnelDefinition): object {
  const { funnelVizType: kind = 'steps' } = funnelsFilter;
  if (kind === 'time_to_convert') {
    const { bins, average_conversion_time: mean } = results as {
      bins: number[][];
      average_conversion_time: number | null;
    };
    return { kind: 'times', actors: bins.reduce((sum, [, count = 0]) => sum + count, 0), mean: rounded(mean) };
  }
  if (kind === 'trends')
    return {
      kind,
      values: Object.fromEntries(
        (results as { data: number[]; breakdown_value?: string[] }[])
          .filter(({ data }) => breakdownFilter !== undefined || data.some((rate) => rate !== 0))
          .map(({ data, breakdown_value: [value = ''] = [] }) => [value, data]),
      ),
    };
  const lists = (breakdownFilter === undefined ? [results] : results) as Step[][];
  const isUnordered = funnelsFilter.funnelOrderType === 'unordered';
  return {
    kind,
    values: Object.fromEntries(
      lists
        .filter((steps) => steps.length > 0)
        .map((steps) => [
          (steps[0]?.['breakdown_value'] as string[] | undefined)?.[0] ?? '',
          {
            counts: steps.map(({ count }) => count),
            ...(!isUnordered && {
              means: steps.map(({ average_conversion_time: time }) => rounded(time as number | null)),
              medians: steps.map(({ median_conversion_time: time }) => rounded(time as number | null)),
            }),
          },
        ]),
    ),
    series: series.length,
  };
}

/** The reference in the same form. */
function figuresOf(
  expected: ReferenceResult,
  { series, breakdownFilter, funnelsFilter = {} }: FunnelDefinition,
): object {
  const { kind } = expected;
  if (kind === 'times') {
    const { times } = expected;
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length / 1e6;
    return { kind, actors: times.length, mean: rounded(times.length === 0 ? null : mean) };
  }
  if (kind === 'trends') {
    const values = [...expected.values].filter(
      ([, data]) => breakdownFilter !== undefined || data.some((rate) => rate !== 0),
    );
    return { kind, values: Object.fromEntries(values) };
  }
  const isUnordered = funnelsFilter.funnelOrderType === 'unordered';
  const shown = [...expected.values].map(([value, { counts, means, medians }]): [string, object] => [
    value,
    { counts, ...(!isUnordered && { means: means.map(rounded), medians: medians.map(rounded) }) },
  ]);
  return { kind, values: Object.fromEntries(shown), series: series.length };
}
