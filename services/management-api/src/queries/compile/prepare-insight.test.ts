import { describe, expect, test } from '@jest/globals';
import type { LearnedNames } from '@millrace/query-language/schema/learned-names.ts';
import { insightKinds } from '../insights/insight-kinds.ts';
import type { InsightKind } from '../insights/insight-kind.ts';
import { checkInsight, prepareInsight } from './prepare-insight.ts';

const names: LearnedNames = { events: ['view'], properties: {}, isComplete: true };
const context = { nowMs: Date.UTC(2026, 0, 10), timeZone: 'UTC', testAccounts: [] };
const kindOf = (name: string): InsightKind => insightKinds.get(name) as InsightKind;

describe('warnings of an insight', () => {
  const web = { kind: 'WebOverviewQuery', properties: [] };
  const trends = (event: string) => ({ kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event }] });

  test('are about names that its author wrote, not about those of our statement', () => {
    expect(checkInsight(kindOf('WebOverviewQuery'), web, { names }).warnings).toEqual([]);
    const warnings = checkInsight(kindOf('TrendsQuery'), trends('viwe'), { names }).warnings;
    expect(warnings).toEqual([expect.objectContaining({ code: 'unknown_event', start: 0, end: 0 })]);
    const prepared = prepareInsight(kindOf('TrendsQuery'), trends('view'));
    expect(prepared.compile({}, { limit: undefined, offset: undefined, rowsMax: 1 }, context, names).warnings).toEqual(
      [],
    );
  });
});

describe('a range is checked when it is saved, but for what depends on the moment (contract/insights 1.2)', () => {
  const check = (dateRange: object | undefined) =>
    checkInsight(kindOf('TrendsQuery'), {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'view' }],
      dateRange,
    });

  test.each([
    [{ date_from: 'soon' }],
    [{ date_from: '-7d', date_to: 'soon' }],
    [{ daysOfWeek: [1] }],
    [{ date_from: '2026-03-02', date_to: '2026-03-01' }],
    [{ date_from: '1950-01-01', date_to: '2026-03-01' }],
  ])('%j is refused', (range) => {
    expect(() => check(range)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
  test.each([
    [undefined],
    [{ date_from: '-7d', date_to: '2026-01-01' }],
    [{ date_to: '2020-01-01' }],
    [{ date_from: '2099-01-01' }],
    [{ date_from: 'all' }],
  ])('%j passes', (range) => {
    expect(check(range).query).toMatchObject({ kind: 'TrendsQuery' });
  });
});

test('a filter that no statement can be made of is a 400, not a failure of the server', () => {
  const filter = { type: 'event_metadata', key: 'properties', value: 'x' };
  const definition = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'view' }], properties: [filter] };
  expect(() => checkInsight(kindOf('TrendsQuery'), definition)).toThrow(
    expect.objectContaining({ code: 'invalid_input', status: 400 }),
  );
});

describe('what a run sets (contract/insights 12)', () => {
  const series = [{ kind: 'EventsNode', event: 'view' }];
  const byPlan = { kind: 'TrendsQuery', series, breakdownFilter: { breakdown: 'plan' } };
  const keyOf = (values: Record<string, string>, override: object | undefined, nowMs = context.nowMs) => {
    const { insight } = prepareInsight(kindOf('TrendsQuery'), byPlan, override && { override });
    return JSON.stringify(insight?.keyOf(values, { ...context, nowMs }));
  };
  const sqlOf = (values: Record<string, string>, override: object) => {
    const prepared = prepareInsight(kindOf('TrendsQuery'), byPlan, { override });
    return prepared.compile(values, { limit: undefined, offset: undefined, rowsMax: 1 }, context, names);
  };

  test('an override of one date leaves the variable of the other', () => {
    const params = Object.values(sqlOf({ date_to: '2026-01-05' }, { date_from: '2026-01-02' }).params);
    expect(params).toEqual(expect.arrayContaining(['2026-01-02 00:00:00.000000', '2026-01-05 23:59:59.999999']));
  });

  test('an override for another subject of the same name leaves the variable', () => {
    const filter = { key: 'plan', type: 'person', value: 'x' };
    expect(Object.values(sqlOf({ plan: 'pro' }, { properties: [filter] }).params)).toContain('pro');
    const same = { key: 'plan', value: 'x' };
    expect(Object.values(sqlOf({ plan: 'pro' }, { properties: [same] }).params)).not.toContain('pro');
  });

  test('errors are on the field that the request sets', () => {
    const definition = { kind: 'TrendsQuery', series };
    const compile = (values: Record<string, string>, override?: object) =>
      prepareInsight(kindOf('TrendsQuery'), definition, override && { override }).compile(
        values,
        { limit: undefined, offset: undefined, rowsMax: 1 },
        context,
      );
    const attrOf = (run: () => unknown): unknown => {
      try {
        return run();
      } catch (error) {
        return (error as { details?: { attr?: unknown } }).details?.attr;
      }
    };
    expect(compile({ date_from: ' all ' }).sql).toBe(compile({ date_from: 'all' }).sql);
    expect(attrOf(() => compile({ date_from: '-30s' }))).toBe('variables');
    expect(attrOf(() => compile({ date_from: '2026-01-05', date_to: '2026-01-02' }))).toBe('variables');
    expect(attrOf(() => compile({}, { date_from: 'soon' }))).toBe('filters_override');
    expect(attrOf(() => compile({}, { properties: [{ key: 'plan' }] }))).toBe('filters_override');
  });

  test('the cache key has the range to the minute', () => {
    expect(keyOf({}, undefined)).toBe(keyOf({}, undefined, context.nowMs + 3_600_000));
    expect(keyOf({}, undefined)).not.toBe(keyOf({}, undefined, context.nowMs + 86_400_000));
    expect(keyOf({}, { explicitDate: true })).not.toBe(keyOf({}, undefined));
  });
});
