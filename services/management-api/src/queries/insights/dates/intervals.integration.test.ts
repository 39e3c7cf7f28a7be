import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { testClickhouse } from '@millrace/testkit/test-clickhouse.ts';
import { intervalsBetween, startOf, type IntervalUnit } from './intervals.ts';
import { dayMs } from '@millrace/query-language/filters/zone-time.ts';

// Rows are grouped by ClickHouse's starts and looked up by ours: where the two differ a figure would be lost.
let clickhouse: ReturnType<typeof createClickhouse>;

beforeAll(() => {
  const { url, admin } = testClickhouse();
  clickhouse = createClickhouse({ url, user: admin.username, password: admin.password });
});
afterAll(() => clickhouse.close());

const starts: Readonly<Record<IntervalUnit, string>> = {
  minute: 'toStartOfMinute(at, {zone:String})',
  hour: 'toStartOfHour(at, {zone:String})',
  day: 'toStartOfDay(at, {zone:String})',
  week: 'toDateTime(toStartOfWeek(at, 0, {zone:String}), {zone:String})',
  month: 'toDateTime(toStartOfMonth(at, {zone:String}), {zone:String})',
};

/** Starts by ClickHouse of moments from `fromMs` to `toMs`, `stepMs` apart. */
async function startsThere(unit: IntervalUnit, zone: string, fromMs: number, toMs: number, stepMs: number) {
  const result = await clickhouse.query({
    query: `SELECT groupArray(toInt64(toUnixTimestamp(${starts[unit]})) * 1000) AS starts
      FROM (SELECT toDateTime64({from:Int64}, 6, 'UTC') + toIntervalSecond(number * {step:Int64}) AS at
            FROM numbers({count:UInt64}) ORDER BY number)`,
    query_params: { zone, from: fromMs / 1_000, step: stepMs / 1_000, count: (toMs - fromMs) / stepMs + 1 },
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const [row] = await result.json<{ starts: number[] }>();
  return row?.starts ?? [];
}

const changes: [zone: string, around: string, what: string][] = [
  ['UTC', '2026-03-29', 'none'],
  ['Asia/Kolkata', '2026-03-29', 'none'],
  ['Asia/Kathmandu', '2026-03-29', 'none'],
  ['Asia/Kathmandu', '1986-01-01', 'a quarter of an hour ahead'],
  ['America/New_York', '2026-03-08', 'a day of 23 hours'],
  ['America/New_York', '2026-11-01', 'a day of 25 hours'],
  ['Europe/Berlin', '2026-10-25', 'a day of 25 hours'],
  ['Australia/Lord_Howe', '2026-04-05', 'a day of 24.5 hours'],
  ['Australia/Lord_Howe', '2026-10-04', 'a day of 23.5 hours'],
  ['America/Sao_Paulo', '2018-11-04', 'a day that begins at 01:00'],
  ['America/Sao_Paulo', '2018-02-18', 'a day of 25 hours, 23:00 twice'],
  ['Africa/Cairo', '2026-04-24', 'a day that begins at 01:00'],
  ['Africa/Cairo', '2026-10-30', '23:00 twice'],
  ['America/Havana', '2026-11-01', '00:00 twice'],
  ['America/St_Johns', '2010-11-07', 'back to the day before, a minute after midnight'],
  ['Asia/Beirut', '2026-03-29', 'a day that begins at 01:00'],
  ['Pacific/Apia', '2011-12-30', 'a day left out'],
  ['Asia/Singapore', '1982-01-01', 'half an hour ahead'],
  ['Africa/Casablanca', '2026-02-15', 'back for a month'],
  ['America/Recife', '2000-10-15', 'forward for a week'],
  ['Asia/Pyongyang', '2015-08-15', 'half an hour back'],
  ['Antarctica/Troll', '2026-03-29', 'two hours ahead'],
];

describe('starts of intervals are those of ClickHouse', () => {
  test.each(changes)('%s around %s: %s', async (zone, around, _what) => {
    const middle = Date.parse(`${around}T00:00:00Z`);
    const windows: [unit: IntervalUnit, days: number, stepMs: number][] = [
      ['minute', 1.5, 20_000],
      ['hour', 3, 300_000],
      ['day', 40, 900_000],
      ['week', 60, 1_800_000],
      ['month', 200, 7_200_000],
    ];
    for (const [unit, days, stepMs] of windows) {
      const [from, to] = [middle - days * dayMs, middle + days * dayMs];
      const there = await startsThere(unit, zone, from, to, stepMs);
      const here = there.map((_start, index) => startOf(from + index * stepMs, unit, zone));
      const differ = there.flatMap((start, index) =>
        start === here[index] ? [] : [[unit, iso(from + index * stepMs), iso(start), iso(here[index])]],
      );
      expect(differ.slice(0, 5)).toEqual([]);
      expect([unit, intervalsBetween(from, to, unit, zone)?.starts]).toEqual([unit, [...new Set(there)]]);
    }
  });
});

const iso = (ms: number | undefined): string => (ms === undefined ? '' : new Date(ms).toISOString());
