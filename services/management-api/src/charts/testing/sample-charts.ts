import type { Chart } from '../chart.ts';

const days = Array.from({ length: 14 }, (_, index) => `${index + 6}-Jan-2025`);
const wave = (base: number, swing: number): number[] =>
  days.map((_, index) => Math.round(base + swing * Math.sin(index * 0.9) + index * swing * 0.12));

/** A chart of each form as users see them, for golden files. */
export const sampleCharts: Readonly<Record<string, Chart>> = {
  line: {
    form: 'line',
    title: 'Views by plan',
    labels: days,
    unit: 'count',
    series: [
      { label: 'pro', values: wave(1200, 300), colour: 0 },
      { label: 'pro (previous)', values: wave(950, 260), colour: 0, isPrevious: true },
      { label: 'free', values: wave(640, 90), colour: 1 },
      { label: 'null', values: wave(610, 60), colour: 2 },
    ],
  },
  bars: {
    form: 'bars',
    title: 'Lifecycle of readers',
    labels: days,
    unit: 'count',
    layout: 'stacked',
    series: [
      { label: 'new', values: wave(40, 20), colour: 0 },
      { label: 'returning', values: wave(90, 30), colour: 2 },
      { label: 'resurrecting', values: wave(25, 10), colour: 3 },
      { label: 'dormant', values: wave(-45, 20), colour: 1 },
    ],
  },
  totals: {
    form: 'totals',
    title: 'Orders by country, last 30 days',
    labels: ['Germany', 'United States of America', 'Ελλάδα', 'مصر', '日本', 'null'],
    unit: 'count',
    series: [
      { label: 'current', values: [12_345, 9_870, 4_200, 1_500, 730, 12], colour: 0 },
      { label: 'previous', values: [10_020, 11_300, 3_900, null, 810, 40], colour: 0, isPrevious: true },
    ],
  },
  funnel: {
    form: 'funnel',
    title: 'From the first view to the second order',
    groups: [
      {
        label: '',
        steps: [
          { label: 'view', count: 41_230, medianSeconds: null },
          { label: 'cart', count: 18_400, medianSeconds: 95 },
          { label: 'buy', count: 6_112, medianSeconds: 25_200 },
          { label: 'buy again', count: 980, medianSeconds: 1_209_600 },
        ],
      },
    ],
  },
  'funnel-by-value': {
    form: 'funnel',
    title: 'From view to order, by plan',
    groups: ['pro', 'free', 'null'].map((label, place) => ({
      label,
      steps: [
        { label: 'view', count: 2_000 >> place, medianSeconds: null },
        { label: 'buy', count: 900 >> (2 * place), medianSeconds: 60 },
      ],
    })),
  },
  'heat-map': {
    form: 'heat-map',
    title: 'Readers who come back',
    columns: Array.from({ length: 8 }, (_, index) => `Day ${index}`),
    rows: days.slice(0, 8).map((label, row) => ({
      label,
      size: 900 - row * 37,
      values: Array.from({ length: 8 }, (_, column) =>
        column + row > 7 ? null : column === 0 ? 100 : Math.round(640 / (column + 1) + row * 5) / 10,
      ),
    })),
  },
  number: {
    form: 'numbers',
    title: 'Readers of the last 7 days',
    numbers: [
      {
        label: 'view',
        value: 12_345,
        unit: 'count',
        change: { percent: 12.4, previous: 10_983, isIncreaseBad: false },
      },
    ],
  },
  numbers: {
    form: 'numbers',
    title: 'The web site this week',
    numbers: [
      { label: 'visitors', value: 8_120, unit: 'count', change: { percent: 4, previous: 7_808, isIncreaseBad: false } },
      { label: 'views', value: 32_400, unit: 'count', change: { percent: -7, previous: 34_839, isIncreaseBad: false } },
      { label: 'sessions', value: 9_900, unit: 'count', change: { percent: 0, previous: 9_900, isIncreaseBad: false } },
      {
        label: 'session duration',
        value: 187,
        unit: 'seconds',
        change: { percent: null, previous: 0, isIncreaseBad: false },
      },
      { label: 'bounce rate', value: 41.2, unit: 'percent', change: { percent: 3, previous: 40, isIncreaseBad: true } },
    ],
  },
  table: {
    form: 'table',
    title: 'Ways through the site',
    columns: [
      { label: 'from' },
      { label: 'to' },
      { label: 'times', unit: 'count' },
      { label: 'mean time', unit: 'seconds' },
    ],
    rows: Array.from({ length: 20 }, (_, index) => [
      `${1 + (index % 3)}. https://shop.example/section-${index}`,
      `${2 + (index % 3)}. https://shop.example/section-${index}/a-page-with-a-long-name/and-its-details`,
      4_000 - index * 190,
      index * 37.5 + 0.4,
    ]),
  },
  empty: { form: 'line', title: 'Nothing has happened', labels: [], series: [], unit: 'count' },
};
