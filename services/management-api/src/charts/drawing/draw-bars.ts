import type { BarsChart, Series } from '../chart.ts';
import { labelsBelow, plotOf, valuesOf, type Plot } from './axes.ts';
import { andMore, joinedRests, rectangle, textAt, textSize, widest, type Box, type Draw } from './layout.ts';
import { barInk, legendOf } from './legend.ts';
import { drawable } from './scale.ts';
import { shownNumber } from './shown-number.ts';
import type { SvgElement } from './svg.ts';
import type { Ink } from './theme.ts';

/** Least width of the place of a label. */
const bandMin = 1.4;

/** Upright bars below a legend. Labels that have no room are left out at the beginning, the oldest ones. */
export const drawBars: Draw<'bars'> = (chart, box, ink) => {
  const legend = legendOf(chart.series, box, ink);
  const below = { ...box, y: box.y + legend.height, height: box.height - legend.height };
  const fitting = Math.max(1, Math.floor((box.width * 0.85) / bandMin));
  const first = Math.max(0, chart.labels.length - fitting);
  const labels = chart.labels.slice(first);
  const series = chart.series.slice(0, legend.count).map((one) => ({ ...one, values: one.values.slice(first) }));
  const isStacked = chart.layout === 'stacked' && series.length > 1;
  const plot = plotOf(isStacked ? stackEnds(series) : valuesOf(series), chart.unit, below, ink);
  const band = plot.box.width / labels.length;
  const at = (index: number): number => plot.box.x + (index + 0.5) * band;
  const bars = isStacked ? stacked(series, plot, band, ink) : grouped(series, plot, band, ink);
  const numbers = series.length === 1 ? numbersAt(chart, series[0], plot, at, band, ink) : [];
  return {
    elements: [
      ...legend.elements,
      ...plot.elements,
      ...labelsBelow(labels, at, plot.box, box, ink),
      ...bars,
      ...numbers,
    ],
    rest: joinedRests([
      andMore(chart.series.length - series.length, 'series', 'series'),
      andMore(first, 'bar before these', 'bars before these'),
    ]),
  };
};

function barOf(box: Box, one: Series, ink: Ink): SvgElement[] {
  return box.height < 0.005 ? [] : [rectangle(box, { ...barInk(one, ink), ...(box.width > 6 && { rx: 1.5 }) })];
}

function gapOf(band: number): number {
  return band > 4 ? Math.min(band * 0.2, 16) : 0;
}

function grouped(series: readonly Series[], { box, scale }: Plot, band: number, ink: Ink): SvgElement[] {
  const gap = gapOf(band);
  const width = Math.min((band - gap) / series.length, 64);
  const inset = (band - width * series.length) / 2;
  return series.flatMap((one, place) =>
    one.values.flatMap((given, index) => {
      const value = drawable(given) ?? 0;
      const y = Math.min(scale.at(value), scale.at(0));
      const x = box.x + index * band + inset + place * width;
      return barOf({ x, y, width, height: Math.abs(scale.at(value) - scale.at(0)) }, one, ink);
    }),
  );
}

function stacked(series: readonly Series[], { box, scale }: Plot, band: number, ink: Ink): SvgElement[] {
  const width = Math.min(band - gapOf(band), 64);
  const [ups, downs] = [new Map<number, number>(), new Map<number, number>()];
  return series.flatMap((one) =>
    one.values.flatMap((given, index) => {
      const value = drawable(given) ?? 0;
      const ends = value < 0 ? downs : ups;
      const from = ends.get(index) ?? 0;
      ends.set(index, from + value);
      const [start, end] = [scale.at(from), scale.at(from + value)];
      const x = box.x + index * band + (band - width) / 2;
      return barOf({ x, y: Math.min(start, end), width, height: Math.abs(end - start) }, one, ink);
    }),
  );
}

/** Upper and lower end of each stack. */
function stackEnds(series: readonly Series[]): number[] {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  return Array.from({ length }, (_, index) => index).flatMap((index) => {
    const values = series.map(({ values: own }) => drawable(own[index]) ?? 0);
    return [sum(values.filter((value) => value > 0)), sum(values.filter((value) => value < 0))];
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Numbers above the bars and above the line of 0, if there is room for all. */
function numbersAt(
  { unit }: BarsChart,
  one: Series | undefined,
  { scale }: Plot,
  at: (index: number) => number,
  band: number,
  ink: Ink,
): SvgElement[] {
  const size = textSize.small;
  const values = one?.values ?? [];
  const texts = values.map((value) => shownNumber(value, unit));
  if (widest(texts, size, 80) + 4 > band) return [];
  return texts.map((text, index) => {
    const value = drawable(values[index]) ?? 0;
    const y = scale.at(Math.max(value, 0)) - 4;
    return textAt(ink, { x: at(index), y, text, size, anchor: 'middle' });
  });
}
