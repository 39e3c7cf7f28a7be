import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Chart } from '../chart.ts';
import { sampleCharts } from '../testing/sample-charts.ts';
import { chartHeaders } from './chart-headers.ts';
import { drawChart } from './draw-chart.ts';
import { colourOf, coloursMax, heatOpacityMax, type Colour } from './theme.ts';

type Rgb = [number, number, number];
const themes = ['light', 'dark'] as const;

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as Rgb;

/** Relative luminance and contrast of WCAG 2.2. */
function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const blended = (over: Rgb, under: Rgb, opacity: number): Rgb =>
  over.map((value, index) => opacity * value + (1 - opacity) * (under[index] ?? 0)) as Rgb;

const seriesColours = Array.from({ length: coloursMax }, (_, index): Colour => index);

describe.each(themes)('colours of %s', (theme) => {
  const rgb = (colour: Colour): Rgb => rgbOf(colourOf(colour, theme));

  test.each(['text', 'quiet', 'good', 'bad', ...seriesColours] as Colour[])('text in %s can be read', (colour) => {
    expect(contrast(rgb(colour), rgb('background'))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['axis', ...seriesColours] as Colour[])('lines and bars in %s stand out', (colour) => {
    expect(contrast(rgb(colour), rgb('background'))).toBeGreaterThanOrEqual(3);
    // The bar of a funnel lies on its track.
    if (colour !== 'axis') expect(contrast(rgb(colour), rgb('track'))).toBeGreaterThanOrEqual(3);
  });

  test('percentages can be read on the colour of every cell', () => {
    for (let percent = 0; percent <= 100; percent += 1) {
      const cell = blended(rgb('heat'), rgb('track'), (heatOpacityMax[theme] * percent) / 100);
      expect(contrast(rgb('text'), cell)).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('twelve series have twelve colours', () => {
    expect(new Set(seriesColours.map((colour) => colourOf(colour, theme))).size).toBe(12);
  });
});

describe('the theme of the reader', () => {
  const auto = drawChart(sampleCharts['line'] as Chart, { theme: 'auto' });

  test('without styles it is the light picture', () => {
    const bare = auto.replace(/<style>.*<\/style>\n/, '').replaceAll(/ class="[^"]*"/g, '');
    expect(bare).toBe(drawChart(sampleCharts['line'] as Chart, { theme: 'light' }));
  });

  test('each painted element has a class that the dark style sheet knows', () => {
    for (const chart of Object.values(sampleCharts)) {
      const svg = drawChart(chart, { theme: 'auto' });
      const [style = ''] = /<style>.*<\/style>/.exec(svg) ?? [];
      const classes = new Set([...svg.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')));
      expect([...classes].filter((name) => !style.includes(`.${name} {`))).toEqual([]);
      const painted = svg.match(/<[a-z]+ [^>]*(?:fill|stroke)="#/g) ?? [];
      expect(painted.length).toBe(svg.match(/class="/g)?.length);
    }
  });

  test('the policy of a reply allows the style sheet of every picture, and nothing else', () => {
    for (const chart of Object.values(sampleCharts)) {
      const [, style = ''] = /<style>(.*)<\/style>/.exec(drawChart(chart)) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      expect(chartHeaders['content-security-policy']).toBe(`default-src 'none'; style-src 'sha256-${hash}'`);
    }
  });

  test('light and dark pictures have no style sheet', () => {
    for (const theme of themes) expect(drawChart(sampleCharts['bars'] as Chart, { theme })).not.toContain('<style');
  });
});
