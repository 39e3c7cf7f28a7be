import { describe, expect, test } from '@jest/globals';
import { compileInsight } from '../testing/compile-insight.ts';
import { lifecycle } from './lifecycle.ts';

const node = { kind: 'EventsNode', event: 'view' };

describe('definitions of a LifecycleQuery', () => {
  test('one that the app saves, with every field of looks, is accepted and changes no SQL (contract/insights 1.2)', () => {
    const saved = {
      series: [
        {
          ...node,
          name: 'view',
          custom_name: null,
          version: null,
          limit: null,
          orderBy: null,
          properties: [],
          fixedProperties: null,
          math: 'total',
          math_property: null,
          math_hogql: null,
          math_group_type_index: null,
          math_property_revenue_currency: null,
          math_multiplier: null,
          optionalInFunnel: false,
          response: null,
        },
      ],
      dateRange: { date_from: '-7d', date_to: null, explicitDate: false },
      interval: 'day',
      properties: { type: 'AND', values: [] },
      filterTestAccounts: false,
      samplingFactor: null,
      aggregation_group_type_index: null,
      customAggregationTarget: null,
      dataColorTheme: null,
      modifiers: null,
      response: null,
      tags: null,
      version: 2,
      lifecycleFilter: {
        showLegend: false,
        showValuesOnSeries: true,
        stacked: true,
        toggledLifecycles: ['new', 'dormant'],
      },
    };
    const { sql, params } = compileInsight(lifecycle, saved);
    const plain = compileInsight(lifecycle, { series: [node], properties: saved.properties });
    expect({ sql, params }).toEqual({ sql: plain.sql, params: plain.params });
  });

  test.each([
    ['no series', {}, /series/],
    ['no node', { series: [] }, /series/],
    ['two series', { series: [node, node] }, /series/],
    ['a field of another kind', { series: [node], trendsFilter: {} }, /trendsFilter/],
    ['a breakdown', { series: [node], breakdownFilter: { breakdown: 'plan' } }, /breakdownFilter/],
    ['a comparison', { series: [node], compareFilter: { compare: true } }, /compareFilter/],
    ['an unknown field of the filter', { series: [node], lifecycleFilter: { colour: 'red' } }, /colour/],
    ['an unknown field of the node', { series: [{ ...node, colour: 'red' }] }, /colour/],
    ['an unknown interval', { series: [node], interval: 'quarter' }, /interval/],
    [
      'a group type that does not exist',
      { series: [node], aggregation_group_type_index: 5 },
      /aggregation_group_type_index/,
    ],
    ['an action', { series: [{ kind: 'ActionsNode', id: 1 }] }, /Actions do not exist here/],
    ['a warehouse', { series: [{ kind: 'LifecycleDataWarehouseNode' }] }, /LifecycleDataWarehouseNode/],
    ['a cohort', { series: [node], properties: [{ type: 'cohort', key: 'id', value: 1 }] }, /cohort/],
    [
      'a cohort of the node',
      { series: [{ ...node, properties: [{ type: 'cohort', key: 'id', value: 1 }] }] },
      /cohort/,
    ],
    ['a custom target', { series: [node], customAggregationTarget: true }, /customAggregationTarget/],
    [
      'a range that ends before it begins',
      { series: [node], dateRange: { date_from: '2025-01-05', date_to: '2025-01-01' } },
      /date_/,
    ],
    ['a time that is none', { series: [node], dateRange: { date_from: 'yesterday-ish' } }, /date_from/],
    [
      'too many intervals',
      { series: [node], interval: 'minute', dateRange: { date_from: '-90d' } },
      /10,000 intervals/,
    ],
  ])('%s is refused, and named', (_, definition, message) => {
    expect(() => compileInsight(lifecycle, definition)).toThrow(message);
  });
});
