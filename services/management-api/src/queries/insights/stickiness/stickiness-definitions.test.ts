import { describe, expect, test } from '@jest/globals';
import { compileInsight } from '../testing/compile-insight.ts';
import { stickiness } from './stickiness.ts';

const node = { kind: 'EventsNode', event: 'view' };

describe('definitions of a StickinessQuery', () => {
  test('one that the app saves, with every field of looks, is accepted and changes no SQL (contract/insights 1.2)', () => {
    const saved = {
      series: [{ ...node, name: 'view', custom_name: null, math: 'dau', properties: null, math_multiplier: 1 }],
      dateRange: { date_from: '-7d', date_to: null, explicitDate: false },
      interval: 'day',
      intervalCount: null,
      properties: [],
      filterTestAccounts: false,
      samplingFactor: 1,
      aggregation_group_type_index: null,
      compareFilter: { compare: false, compare_to: null },
      dataColorTheme: null,
      modifiers: null,
      response: null,
      tags: null,
      version: null,
      stickinessFilter: {
        display: 'ActionsLineGraph',
        showLegend: false,
        showValuesOnSeries: false,
        showMultipleYAxes: false,
        hiddenLegendIndexes: [],
        resultCustomizationBy: 'value',
        resultCustomizations: null,
        computedAs: 'non_cumulative',
        stickinessCriteria: null,
      },
    };
    const { sql, params } = compileInsight(stickiness, saved);
    const plain = compileInsight(stickiness, { series: [node] });
    expect({ sql, params }).toEqual({ sql: plain.sql, params: plain.params });
  });

  const hogql = (text: string) => ({ series: [{ ...node, math: 'hogql', math_hogql: text }] });
  const criteria = (stickinessCriteria: object) => ({ series: [node], stickinessFilter: { stickinessCriteria } });

  test.each([
    ['no series', {}, /series/],
    ['27 series', { series: Array.from({ length: 27 }, () => node) }, /series/],
    ['a field of another kind', { series: [node], trendsFilter: {} }, /trendsFilter/],
    ['an unknown field of the filter', { series: [node], stickinessFilter: { colour: 'red' } }, /colour/],
    ['an unknown way to count', { series: [node], stickinessFilter: { computedAs: 'sum' } }, /computedAs/],
    ['an unknown math', { series: [{ ...node, math: 'mode' }] }, /math/],
    ['an unknown operator', criteria({ operator: 'gt', value: 1 }), /operator/],
    ['a value of none', criteria({ operator: 'gte', value: 0 }), /value/],
    ['a value that is missing', criteria({ operator: 'gte' }), /value/],
    ['a group without its type', { series: [{ ...node, math: 'unique_group' }] }, /math_group_type_index/],
    ['an expression that is missing', { series: [{ ...node, math: 'hogql' }] }, /math_hogql/],
    ['an expression that does not parse', hogql('properties.'), /series\.0\.math_hogql/],
    ['two expressions', hogql('event, uuid'), /math_hogql/],
    ['a column that does not exist', hogql('colour'), /"colour"/],
    ['the project', hogql('team_id'), /team_id/],
    ['an aggregate', hogql('count()'), /aggregate/i],
    ['a column of ours', hogql('insight_intervals'), /insight_/],
    ['a sub-query of another table', hogql('1 IN (SELECT 1 FROM system.users)'), /system/],
    ['an action', { series: [{ kind: 'ActionsNode', id: 1 }] }, /Actions do not exist here/],
    [
      'a comparison with nothing',
      { series: [node], compareFilter: { compare: true, compare_to: 'last week' } },
      /compare_to/,
    ],
    ['several intervals at once', { series: [node], intervalCount: 2 }, /intervalCount/],
  ])('%s is refused, and named', (_, definition, message) => {
    expect(() => compileInsight(stickiness, definition)).toThrow(message);
  });

  test('hostile names and values are parameters', () => {
    const evil = "x'; DROP TABLE events --`\\";
    const { sql, params } = compileInsight(stickiness, {
      series: [{ ...node, event: evil, properties: [{ key: evil, value: evil }] }],
    });
    expect(sql).not.toContain("x'; DROP");
    expect(Object.values(params)).toContain(evil);
  });

  test('a year of hours stays a short statement where clocks change by half an hour', () => {
    const hours = { series: [node], interval: 'hour', dateRange: { date_from: '-365d' } };
    const { sql } = compileInsight(stickiness, hours, { timeZone: 'Australia/Lord_Howe' });
    expect(sql).toContain('multiIf');
    expect(sql.length).toBeLessThan(10_000);
  });
});
