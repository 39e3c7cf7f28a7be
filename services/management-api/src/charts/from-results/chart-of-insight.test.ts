import { describe, expect, test } from '@jest/globals';
import type { BarsChart } from '../chart.ts';
import { chartOfInsight } from './chart-of-insight.ts';

const labels = ['6-Jan-2025', '7-Jan-2025', '8-Jan-2025', '9-Jan-2025', '10-Jan-2025'];
const view = { action: { order: 0 }, label: 'view', order: 0, labels };

describe('charts of trends (contract/insights 5)', () => {
  const byPlan = [
    { ...view, label: 'pro', breakdown_value: 'pro', data: [1, 1, 0, 0, 1], count: 3 },
    { ...view, label: 'null', breakdown_value: null, data: [0, 1, 0, 1, 0], count: 2 },
  ];
  const compared = [
    { ...view, data: [1, 2], labels: ['8-Jan-2025', '9-Jan-2025'], compare: true, compare_label: 'current' },
    { ...view, label: 'buy', order: 1, data: [3, 4], compare: true, compare_label: 'current' },
    { ...view, data: [5, 6], labels: ['6-Jan-2025', '7-Jan-2025'], compare: true, compare_label: 'previous' },
    { ...view, label: 'buy', order: 1, data: [7, 8], compare: true, compare_label: 'previous' },
  ];

  test('series by interval are lines', () => {
    expect(chartOfInsight({ kind: 'TrendsQuery' }, byPlan, 'Views')).toEqual({
      form: 'line',
      title: 'Views',
      labels,
      unit: 'count',
      series: [
        { label: 'pro', values: [1, 1, 0, 0, 1], colour: 0 },
        { label: 'null', values: [0, 1, 0, 1, 0], colour: 1 },
      ],
    });
  });

  test('an earlier period follows its series in the same colour', () => {
    expect(chartOfInsight({ kind: 'TrendsQuery' }, compared, 't')).toMatchObject({
      labels: ['8-Jan-2025', '9-Jan-2025'],
      series: [
        { label: 'view', values: [1, 2], colour: 0 },
        { label: 'view (previous)', values: [5, 6], colour: 0, isPrevious: true },
        { label: 'buy', values: [3, 4], colour: 1 },
        { label: 'buy (previous)', values: [7, 8], colour: 1, isPrevious: true },
      ],
    });
  });

  test('a value of the earlier period alone is drawn, as 0 in the range; and no further than the range goes', () => {
    const [current] = compared;
    const gone = { ...view, label: 'free', breakdown_value: 'free', data: [5, 6, 7], compare_label: 'previous' };
    const pro = { label: 'pro', breakdown_value: 'pro' };
    const results = [
      { ...current, ...pro },
      { ...gone, ...pro },
      { ...gone, data: [8, 9] },
    ];
    expect(chartOfInsight({ kind: 'TrendsQuery' }, results, 't')).toMatchObject({
      series: [
        { label: 'pro', values: [1, 2] },
        { label: 'pro (previous)', values: [5, 6] },
        { label: 'free', values: [0, 0] },
        { label: 'free (previous)', values: [8, 9] },
      ],
    });
  });

  test.each([
    ['ActionsBar', byPlan, 'stacked'],
    ['ActionsStackedBar', byPlan, 'stacked'],
    ['ActionsUnstackedBar', byPlan, 'grouped'],
    ['ActionsBar', compared, 'grouped'],
  ])('%s is upright bars', (display, results, layout) => {
    const definition = { kind: 'TrendsQuery', trendsFilter: { display } };
    expect(chartOfInsight(definition, results, 't')).toMatchObject({ form: 'bars', layout });
  });

  const total = { ...view, data: [], days: [], count: 0, labels: undefined };
  test.each(['ActionsPie', 'ActionsBarValue', 'ActionsTable', 'WorldMap'])('%s is horizontal bars', (display) => {
    const results = [
      { ...total, label: 'DE', breakdown_value: 'DE', aggregated_value: 9, compare_label: 'current' },
      { ...total, label: 'FR', breakdown_value: 'FR', aggregated_value: 4, compare_label: 'current' },
      { ...total, label: 'FR', breakdown_value: 'FR', aggregated_value: 5, compare_label: 'previous' },
    ];
    expect(chartOfInsight({ kind: 'TrendsQuery', trendsFilter: { display } }, results, 't')).toMatchObject({
      form: 'totals',
      labels: ['DE', 'FR'],
      series: [
        { label: 'current', values: [9, 4] },
        { label: 'previous', values: [null, 5], isPrevious: true },
      ],
    });
  });

  test('BoldNumber is a number, with its change in percent', () => {
    const definition = { kind: 'TrendsQuery', trendsFilter: { display: 'BoldNumber' } };
    const number = { ...total, aggregated_value: 4 };
    expect(chartOfInsight(definition, [number], 't')).toMatchObject({
      form: 'numbers',
      numbers: [{ label: 'view', value: 4, unit: 'count' }],
    });
    const both = [
      { ...number, compare_label: 'current' },
      { ...number, aggregated_value: 5, compare_label: 'previous' },
    ];
    expect(chartOfInsight(definition, both, 't')).toMatchObject({
      numbers: [{ value: 4, change: { percent: -20, previous: 5 } }],
    });
  });

  test('formulas have no data as totals, and duration is told in seconds', () => {
    const definition = {
      kind: 'TrendsQuery',
      trendsFilter: { display: 'ActionsTable', aggregationAxisFormat: 'duration' },
    };
    const results = [{ label: 'Formula (A / B)', action: null, order: 0, data: null, count: 0, aggregated_value: 2.5 }];
    expect(chartOfInsight(definition, results, 't')).toMatchObject({ unit: 'seconds', series: [{ values: [2.5] }] });
  });

  const labelsOf = (results: readonly object[]): string[] => {
    const chart = chartOfInsight({ kind: 'TrendsQuery' }, results, 't');
    return chart.form === 'line' ? chart.series.map(({ label }) => label) : [];
  };

  test('a formula is told by its value, and by its name where there are several', () => {
    const formula = { action: null, label: 'rate', order: 0, data: [1], labels: ['6-Jan-2025'] };
    const values = ['pro', null, ['a', null]].map((breakdown_value) => ({ ...formula, breakdown_value }));
    expect(labelsOf(values)).toEqual(['pro', 'null', 'a::null']);
    const several = [...values.slice(0, 2), { ...formula, label: 'cost', order: 1, breakdown_value: 'pro' }];
    expect(labelsOf(several)).toEqual(['rate - pro', 'rate - null', 'cost - pro']);
    expect(labelsOf([formula])).toEqual(['rate']);
  });

  test('a series has the name that its author gave', () => {
    const named = { ...view, action: { order: 0, custom_name: 'visits' }, data: [1] };
    const other = { ...view, action: { order: 1, custom_name: '' }, order: 1, data: [1] };
    expect(labelsOf([named, other])).toEqual(['visits', 'view']);
    expect(labelsOf([{ ...named, label: 'pro', breakdown_value: 'pro' }])).toEqual(['pro']);
    const broken = [named, other].map((one) => ({ ...one, label: 'view - pro', breakdown_value: 'pro' }));
    expect(labelsOf(broken)).toEqual(['visits - pro', 'view - pro']);
  });

  test('no series is an empty chart', () => {
    expect(chartOfInsight({ kind: 'TrendsQuery' }, [], 't')).toMatchObject({ form: 'line', labels: [], series: [] });
  });
});

describe('charts of funnels (contract/insights 6)', () => {
  const steps = [
    { name: 'view', custom_name: null, order: 0, count: 4, median_conversion_time: null },
    { name: 'buy', custom_name: 'order', order: 1, count: 2, median_conversion_time: 25_200 },
  ];

  test('steps are one funnel', () => {
    expect(chartOfInsight({ kind: 'FunnelsQuery' }, steps, 't')).toEqual({
      form: 'funnel',
      title: 't',
      groups: [
        {
          label: '',
          steps: [
            { label: 'view', count: 4, medianSeconds: null },
            { label: 'order', count: 2, medianSeconds: 25_200 },
          ],
        },
      ],
    });
    expect(chartOfInsight({ kind: 'FunnelsQuery' }, [], 't')).toMatchObject({ groups: [] });
  });

  test('a breakdown is a funnel for each value', () => {
    const lists = [['pro'], ['']].map((value) => steps.map((step) => ({ ...step, breakdown_value: value })));
    expect(chartOfInsight({ kind: 'FunnelsQuery' }, lists, 't')).toMatchObject({
      groups: [{ label: 'pro' }, { label: 'null' }],
    });
  });

  test('trends are lines of percentages', () => {
    const definition = { kind: 'FunnelsQuery', funnelsFilter: { funnelVizType: 'trends' } };
    const one = { count: 5, data: [50, 0, 100, 0, 0], days: [], labels };
    const line = { form: 'line', labels, unit: 'percent', series: [{ values: one.data }] };
    expect(chartOfInsight(definition, one, 't')).toMatchObject(line);
    expect(chartOfInsight(definition, [one], 't')).toMatchObject(line);
    expect(chartOfInsight(definition, [{ ...one, breakdown_value: ['pro'] }], 't')).toMatchObject({
      series: [{ label: 'pro' }],
    });
  });

  test('times to convert are bars', () => {
    const definition = { kind: 'FunnelsQuery', funnelsFilter: { funnelVizType: 'time_to_convert' } };
    const results = { bins: [[1800, 1], [25_200, 0], [48_600, 1]], average_conversion_time: 25_200 }; // prettier-ignore
    expect(chartOfInsight(definition, results, 't')).toMatchObject({
      form: 'bars',
      labels: ['30m', '7h', '13h 30m'],
      series: [{ values: [1, 0, 1] }],
      note: 'average 7h',
    });
  });
});

describe('charts of retention (contract/insights 7)', () => {
  const rows = (counts: number[][], breakdown_value: string | null = null) =>
    counts.map((values, row) => ({
      label: `Day ${row}`,
      date: `2025-01-${String(row + 6).padStart(2, '0')}T00:00:00+00:00`,
      values: values.map((count, place) => ({ count, label: `Day ${place}` })),
      breakdown_value,
    }));

  test('rows are periods, and periods after the end of the range are empty', () => {
    const results = rows([[2, 1, 1], [2, 0, 2], [1, 0, 0], [2, 0, 0], [1, 0, 0]]); // prettier-ignore
    expect(chartOfInsight({ kind: 'RetentionQuery' }, results, 't')).toEqual({
      form: 'heat-map',
      title: 't',
      columns: ['Day 0', 'Day 1', 'Day 2'],
      rows: [
        { label: '6-Jan-2025', size: 2, values: [100, 50, 50] },
        { label: '7-Jan-2025', size: 2, values: [100, 0, 100] },
        { label: '8-Jan-2025', size: 1, values: [100, 0, 0] },
        { label: '9-Jan-2025', size: 2, values: [100, 0, null] },
        { label: '10-Jan-2025', size: 1, values: [100, null, null] },
      ],
    });
  });

  test('a row of nobody has no percentages', () => {
    expect(chartOfInsight({ kind: 'RetentionQuery' }, rows([[0, 0]]), 't')).toMatchObject({
      rows: [{ size: 0, values: [null, null] }],
    });
  });

  test('with a breakdown each value is one row, over the periods that are known', () => {
    const results = [...rows([[4, 2], [4, 0]], 'pro'), ...rows([[1, 0], [0, 0]])]; // prettier-ignore
    expect(chartOfInsight({ kind: 'RetentionQuery' }, results, 't')).toMatchObject({
      rows: [
        { label: 'pro', size: 8, values: [100, 50] },
        { label: 'null', size: 1, values: [100, 0] },
      ],
      note: 'all periods of a value together',
    });
  });

  test('brackets begin with their first period, and sums are percentages of the sum', () => {
    const bracket = [
      {
        date: '2025-01-06T00:00:00Z',
        breakdown_value: null,
        values: [
          { count: 2, label: 'Day 0', aggregation_value: 40 },
          { count: 1, label: 'Day 1', aggregation_value: 0 },
          { count: 0, label: 'Day 2-3', aggregation_value: 0 },
        ],
      },
      { date: '2025-01-07T00:00:00Z', breakdown_value: null, values: [] },
    ];
    expect(chartOfInsight({ kind: 'RetentionQuery' }, bracket, 't')).toMatchObject({
      rows: [{ size: 40, values: [100, 0, null] }, {}],
    });
  });
});

describe('charts of lifecycle and stickiness (contract/insights 8, 9)', () => {
  const states = ['new', 'returning', 'resurrecting', 'dormant'].map((status, place) => ({
    status,
    label: `view - ${status}`,
    data: [place, -place],
    labels: labels.slice(0, 2),
  }));

  test('the states are stacked bars, each in its own colour', () => {
    const chart = chartOfInsight({ kind: 'LifecycleQuery' }, states, 't');
    expect(chart).toMatchObject({ form: 'bars', layout: 'stacked', labels: labels.slice(0, 2) });
    expect(chart).toMatchObject({ series: states.map(({ status, data }) => ({ label: status, values: data })) });
    const definition = { kind: 'LifecycleQuery', lifecycleFilter: { toggledLifecycles: ['dormant'] } };
    const [dormant] = (chart as BarsChart).series.slice(3);
    expect(chartOfInsight(definition, states, 't')).toMatchObject({ series: [dormant] });
  });

  test('stickiness is bars of one series and lines of several', () => {
    const one = { ...view, data: [1, 2, 1, 0, 0], count: 4, labels: ['1 day', '2 days', '3 days', '4 days', '5 days'] };
    expect(chartOfInsight({ kind: 'StickinessQuery' }, [one], 't')).toMatchObject({ form: 'bars', labels: one.labels });
    const both = [
      { ...one, compare_label: 'current' },
      { ...one, compare_label: 'previous' },
    ];
    expect(chartOfInsight({ kind: 'StickinessQuery' }, both, 't')).toMatchObject({
      form: 'line',
      series: [{ label: 'view' }, { isPrevious: true }],
    });
  });
});

describe('charts of paths and web analytics (contract/insights 10, 11)', () => {
  test('edges are rows of a table', () => {
    const edge = { source: '1_https://x.example', target: '2_/pricing', value: 2, average_conversion_time: 70_000 };
    expect(chartOfInsight({ kind: 'PathsQuery' }, [edge], 't')).toMatchObject({
      form: 'table',
      rows: [['1. https://x.example', '2. /pricing', 2, 70]],
    });
  });

  test('the overview is numbers in their units', () => {
    const item = { previous: null, changeFromPreviousPct: null, isIncreaseBad: null };
    const results = [
      { ...item, key: 'visitors', kind: 'unit', value: 3, previous: 2, changeFromPreviousPct: 50 },
      { ...item, key: 'session duration', kind: 'duration_s', value: null },
      { ...item, key: 'bounce rate', kind: 'percentage', value: 50, isIncreaseBad: true },
    ];
    expect(chartOfInsight({ kind: 'WebOverviewQuery' }, results, 't')).toEqual({
      form: 'numbers',
      title: 't',
      numbers: [
        { label: 'visitors', value: 3, unit: 'count', change: { percent: 50, previous: 2, isIncreaseBad: false } },
        { label: 'session duration', value: null, unit: 'seconds' },
        { label: 'bounce rate', value: 50, unit: 'percent' },
      ],
    });
  });

  test('the first columns of the statistics are a table', () => {
    const definition = { kind: 'WebStatsTableQuery', breakdownBy: 'Page', includeBounceRate: true };
    const results = [
      ['/pricing', [2, null], [4, null], [0.25, null], 0.4, ''],
      [['DE', null], [1, null], [1, null], [null, null], 0.2, ''],
    ];
    expect(chartOfInsight(definition, results, 't')).toMatchObject({
      columns: [
        { label: 'Page' },
        { label: 'visitors' },
        { label: 'views' },
        { label: 'bounce rate', unit: 'percent' },
      ],
      rows: [
        ['/pricing', 2, 4, 25],
        ['DE, (none)', 1, 1, null],
      ],
    });
    const goal = { kind: 'WebStatsTableQuery', breakdownBy: 'Page', conversionGoal: { customEventName: 'buy' } };
    expect(chartOfInsight(goal, [['/', [3, null], [2, null], [1, null], [0.5, null], 1, '']], 't')).toMatchObject({
      rows: [['/', 3, 2, 1, 50]],
    });
  });

  test('another kind is refused', () => {
    expect(() => chartOfInsight({ kind: 'CalendarHeatmapQuery' }, [], 't')).toThrow(
      expect.objectContaining({ status: 400, message: 'Results of CalendarHeatmapQuery cannot be drawn.' }),
    );
  });
});
