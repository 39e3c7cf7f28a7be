import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Chart, Series } from '../chart.ts';
import { readSvg } from '../testing/read-svg.ts';
import { sampleCharts } from '../testing/sample-charts.ts';
import { chartSizes, drawChart } from './draw-chart.ts';

const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const series = (label: string, values: readonly (number | null)[], colour = 0): Series => ({ label, values, colour });

/** The same chart with every text in it replaced. */
function withTexts(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((part) => withTexts(part, text));
  if (typeof value === 'string') return text;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      ['form', 'unit', 'layout'].includes(key) ? (part as unknown) : withTexts(part, text),
    ]),
  );
}

const allowedElements = ['svg', 'title', 'desc', 'style', 'g', 'rect', 'path', 'circle', 'line', 'text', 'tspan'];
const allowedAttributes =
  /^(?:xmlns|width|height|viewBox|role|class|d|[xy][12]?|c[xy]|rx?|fill|stroke|(?:fill|stroke|font|text)-[a-z]+)$/;

function expectHarmless(svg: string): void {
  const { elements, attributes, numbers } = readSvg(svg);
  expect([...elements].filter((name) => !allowedElements.includes(name))).toEqual([]);
  expect([...attributes].filter((name) => !allowedAttributes.test(name) && name !== 'stroke-dasharray')).toEqual([]);
  expect(numbers.every(Number.isFinite)).toBe(true);
  expect(svg).not.toMatch(/="[^"]*(?:NaN|Infinity|undefined|url\(|href)/);
}

describe('texts of users in a picture', () => {
  test.each([
    '</text><script>alert(1)</script>',
    ']]><!--',
    '"/><image href="x"/>',
    "' onload='alert(1)",
    '&lt;&amp;&#0;&xxe;',
    '</style><script>',
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y "z">]>',
    '\u0000\u0001\b\u000b\u001b[31m\u007f\u0085\ufffe\uffff',
    '\ud800 alone \udc00',
    '\u202eegnar\u2066',
  ])('%j stays text in every form', (text) => {
    for (const chart of Object.values(sampleCharts)) {
      const svg = drawChart(withTexts(chart, text) as Chart);
      expectHarmless(svg);
      expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/);
    }
  });

  test('a text is shown as it was given', () => {
    const { texts } = readSvg(drawChart({ ...sampleCharts['empty'], title: `a < b && "c" > 'd'` } as Chart));
    expect(texts).toEqual([`a < b && "c" > 'd'`, 'No data']);
  });

  test('a title of a megabyte is cut', () => {
    const { texts } = readSvg(drawChart({ ...sampleCharts['empty'], title: 'x'.repeat(1_000_000) } as Chart));
    expect(texts[0]).toMatch(/^x{40,70}…$/);
    expect(drawChart({ ...sampleCharts['empty'], title: 'x'.repeat(1_000_000) } as Chart).length).toBeLessThan(10_000);
  });
});

describe('pictures of any result', () => {
  const values = [[], [5], [0, 0, 0], [-3, -2, -1], [null, 4, null], [1e15, 1e308, -1e308], [5e-324, 0], [0.1, 0.2]];

  test.each(values)('the numbers %j are drawn inside of the picture', (...given) => {
    const labels = given.map((_, index) => `day ${index}`);
    for (const form of ['line', 'bars', 'totals'] as const)
      for (const layout of ['stacked', 'grouped'] as const) {
        const both = [series('a', given), series('b', given.toReversed(), 1)];
        const svg = drawChart({ form, title: 't', labels, unit: 'count', layout, series: both });
        expectHarmless(svg);
        const { numbers } = readSvg(svg);
        expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...numbers)).toBeLessThanOrEqual(640);
      }
  });

  test('any texts and numbers make a picture that every reader of XML opens', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const number = fc.option(fc.double(), { nil: null });
    const any = fc.record({
      form: fc.constantFrom('line', 'bars', 'totals'),
      layout: fc.constantFrom('stacked', 'grouped'),
      unit: fc.constantFrom('count', 'percent', 'seconds'),
      title: text,
      note: text,
      labels: fc.array(text, { maxLength: 12 }),
      series: fc.array(
        fc.record({
          label: text,
          values: fc.array(number, { maxLength: 12 }),
          colour: fc.nat(40),
          isPrevious: fc.boolean(),
        }),
        { maxLength: 14 },
      ),
    });
    fc.assert(
      fc.property(any, fc.integer({ min: 100, max: 2_000 }), (chart, width) => {
        expectHarmless(drawChart(chart, { width, height: 160 + (width % 400) }));
      }),
      { numRuns: 200 },
    );
  });

  test.each(Object.keys(sampleCharts))('%s is drawn at the least and the largest size', (name) => {
    for (const [width, height] of [
      [chartSizes.width.min, chartSizes.height.min],
      [chartSizes.width.max, chartSizes.height.max],
      [chartSizes.width.max, chartSizes.height.min],
    ]) {
      const svg = drawChart(sampleCharts[name] as Chart, { width: width ?? 0, height: height ?? 0 });
      expectHarmless(svg);
      expect(Math.max(...readSvg(svg).numbers)).toBeLessThanOrEqual(Math.max(width ?? 0, 600));
    }
  });

  test('sizes outside of the limits are moved into them', () => {
    expect(drawChart(sampleCharts['line'] as Chart, { width: 1, height: 1e9 })).toContain('viewBox="0 0 280 2000"');
    expect(drawChart(sampleCharts['line'] as Chart, { width: NaN })).toContain('viewBox="0 0 640 360"');
  });

  test('the same chart is the same text', () => {
    const twice = [drawChart(sampleCharts['bars'] as Chart), drawChart(structuredClone(sampleCharts['bars']) as Chart)];
    expect(twice[0]).toBe(twice[1]);
  });
});

describe('results that have more than there is room for', () => {
  test('of 25 series 12 are drawn, and the others counted', () => {
    const many = numbered(25).map((index) => series(`s${index}`, [index, index + 1], index));
    const chart = { title: 't', labels: ['a', 'b'], series: many, unit: 'count' as const };
    const line = readSvg(drawChart({ form: 'line', ...chart })).texts;
    const bars = readSvg(drawChart({ form: 'bars', layout: 'stacked', ...chart })).texts;
    for (const texts of [line, bars]) {
      expect(texts.filter((text) => /^s\d+$/.test(text))).toHaveLength(12);
      expect(texts).toContain('and 13 more series');
    }
  });

  test('of 2,000 rows of retention those that fit are drawn, and the others counted', () => {
    const rows = numbered(2_000).map((row) => ({ label: `row ${row}`, size: 10, values: [100, 50] }));
    const svg = drawChart({ form: 'heat-map', title: 't', columns: ['Day 0', 'Day 1'], rows });
    expect(readSvg(svg).texts.at(-1)).toBe('and 1,985 more rows');
    expect(svg.length).toBeLessThan(20_000);
  });

  test('10,000 points are one path of a bounded length, which keeps the highest one', () => {
    const values = numbered(10_000).map((index) => (index === 5_003 ? 1_000 : 0));
    const svg = drawChart({
      form: 'line',
      title: 't',
      labels: values.map(String),
      series: [series('a', values)],
      unit: 'count',
    });
    expect(svg.length).toBeLessThan(30_000);
    // The axis ends at 1,000, which is at the upper edge of the plot.
    expect(svg).toMatch(/<path d="[^"]*L[\d.]+ 50[L"]/);
  });

  test('what the chart says itself stands beside what is left out', () => {
    const rows = numbered(100).map((row) => [`row ${row}`]);
    const svg = drawChart({ form: 'table', title: 't', columns: [{ label: 'value' }], rows, note: 'average 7h' });
    expect(readSvg(svg).texts.at(-1)).toBe('and 88 more rows, average 7h');
  });

  test('names at the ends of lines do not cover each other', () => {
    const close = numbered(10).map((index) => series(`s${index}`, [100, 100 + index / 10], index));
    const svg = drawChart({ form: 'line', title: 't', labels: ['a', 'b'], series: close, unit: 'count' });
    const heights = [...svg.matchAll(/y="([\d.]+)"[^>]*>s\d</g)].map(([, y]) => Number(y)).toSorted((a, b) => a - b);
    expect(heights).toHaveLength(10);
    expect(heights.slice(1).every((y, index) => y - (heights[index] ?? 0) >= 13.9)).toBe(true);
  });
});

describe('pictures for readers who do not see them', () => {
  test('a picture has a role, its title and what it shows in words', () => {
    const svg = drawChart(sampleCharts['funnel'] as Chart, { theme: 'light' });
    expect(svg).toContain('role="img"');
    expect(svg).toContain('<title>From the first view to the second order</title>');
    expect(svg).toContain('<desc>Funnel. view 41.2K, cart 18.4K, buy 6.11K, buy again 980.</desc>');
  });

  test('an empty result says so', () => {
    const svg = drawChart(sampleCharts['empty'] as Chart);
    expect(svg).toContain('<desc>No data.</desc>');
    expect(readSvg(svg).texts).toContain('No data');
  });

  test('an earlier period is dashed, not only of another colour', () => {
    expect(drawChart(sampleCharts['line'] as Chart).match(/<path [^>]*stroke-dasharray/g)).toHaveLength(1);
  });
});
