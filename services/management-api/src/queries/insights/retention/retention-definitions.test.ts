import { describe, expect, test } from '@jest/globals';
import { compileInsight } from '../testing/compile-insight.ts';
import { retention } from './retention.ts';

const base = { period: 'Day', totalIntervals: 3 };
const filter = (more: object) => ({ retentionFilter: { ...base, ...more } });

describe('definitions of a RetentionQuery', () => {
  test('one that the app saves, with every field of looks, is accepted and changes no SQL (contract/insights 1.2)', () => {
    const page = { id: '$pageview', name: '$pageview', type: 'events', order: 0, uuid: null, kind: null };
    const saved = {
      dateRange: { date_from: '-7d', date_to: null, explicitDate: false },
      properties: { type: 'AND', values: [{ type: 'AND', values: [] }] },
      filterTestAccounts: false,
      samplingFactor: null,
      aggregation_group_type_index: null,
      breakdownFilter: { breakdown: null, breakdown_type: 'event', breakdowns: null },
      customAggregationTarget: false,
      dataColorTheme: null,
      modifiers: null,
      response: null,
      tags: null,
      version: 1,
      retentionFilter: {
        ...base,
        targetEntity: { ...page, custom_name: null, properties: [] },
        returningEntity: { ...page, properties: null },
        retentionType: 'retention_recurring',
        cumulative: false,
        minimumOccurrences: null,
        retentionCustomBrackets: [],
        aggregationType: 'count',
        aggregationProperty: null,
        aggregationPropertyType: 'event',
        timeWindowMode: 'strict_calendar_dates',
        cohortLabelStartIndex: 0,
        dashboardDisplay: 'table_only',
        display: 'ActionsLineGraph',
        meanRetentionCalculation: 'simple',
        retentionReference: 'total',
        selectedInterval: 1,
        showTrendLines: false,
        goalLines: null,
      },
    };
    const { sql, params } = compileInsight(retention, saved);
    const { dateRange, properties } = saved;
    const plain = compileInsight(retention, { ...filter({}), dateRange, properties });
    expect({ sql, params }).toEqual({ sql: plain.sql, params: plain.params });
  });

  const windows = { timeWindowMode: '24_hour_windows' };

  test.each([
    ['no filter', {}, /retentionFilter/],
    ['series', { ...filter({}), series: [] }, /series/],
    ['an interval', { ...filter({}), interval: 'day' }, /interval/],
    ['an unknown field', filter({ colour: 'red' }), /colour/],
    ['an unknown period', filter({ period: 'Year' }), /period/],
    ['no intervals', filter({ totalIntervals: 0 }), /totalIntervals/],
    ['1,001 intervals', filter({ totalIntervals: 1_001 }), /totalIntervals/],
    ['an unknown type', filter({ retentionType: 'retention_never' }), /retentionType/],
    ['no occurrences', filter({ minimumOccurrences: 0 }), /minimumOccurrences/],
    ['a bracket of nothing', filter({ retentionCustomBrackets: [1, 0] }), /retentionCustomBrackets/],
    [
      'an action',
      filter({ targetEntity: { id: 'x', type: 'actions' } }),
      /targetEntity is of type actions.*Actions do not exist here/,
    ],
    ['a warehouse', filter({ returningEntity: { id: 'x', type: 'data_warehouse' } }), /returningEntity is of type/],
    ['groups of events', filter({ returningEntity: { id: 'x', type: 'groups' } }), /returningEntity\.type/],
    [
      'a cohort',
      filter({ targetEntity: { id: 'x', properties: [{ type: 'cohort', key: 'id', value: 1 }] } }),
      /cohort/,
    ],
    ['sums without a property', filter({ aggregationType: 'sum' }), /aggregationProperty/],
    ['windows that are cumulative', filter({ ...windows, cumulative: true }), /cumulative/],
    ['windows with sums', filter({ ...windows, aggregationType: 'avg', aggregationProperty: 'n' }), /aggregationType/],
    [
      'two breakdowns',
      { ...filter({}), breakdownFilter: { breakdowns: [{ property: 'a' }, { property: 'b' }] } },
      /breakdowns/,
    ],
    [
      'a breakdown of a column that does not exist',
      { ...filter({}), breakdownFilter: { breakdown: 'colour', breakdown_type: 'hogql' } },
      /colour/,
    ],
    [
      'a breakdown that is an aggregate',
      { ...filter({}), breakdownFilter: { breakdown: 'count()', breakdown_type: 'hogql' } },
      /aggregate/i,
    ],
    [
      'more than 2,000,000 numbers',
      { ...filter({ totalIntervals: 1_000, period: 'Hour' }), dateRange: { date_from: '-90d' } },
      /numbers.*interval.*breakdown/,
    ],
  ])('%s is refused, and named', (_, definition, message) => {
    expect(() => compileInsight(retention, definition)).toThrow(message);
  });

  test('hostile names and values are parameters', () => {
    const evil = "x'; DROP TABLE events --`\\";
    const entity = { id: evil, type: 'events', properties: [{ key: evil, value: evil }] };
    const { sql, params } = compileInsight(retention, {
      ...filter({ targetEntity: entity, returningEntity: entity, aggregationType: 'sum', aggregationProperty: evil }),
      breakdownFilter: { breakdown: evil },
    });
    expect(sql).not.toContain("x'; DROP");
    expect(Object.values(params)).toContain(evil);
  });
});
