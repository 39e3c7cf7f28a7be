import type { Series } from '../chart.ts';
import { labelsBelow, plotOf, valuesOf } from './axes.ts';
import { andMore, straight, textAt, textSize, widest, type Draw } from './layout.ts';
import { drawable, type ValueScale } from './scale.ts';
import { shownNumber } from './shown-number.ts';
import { decimal, element, type SvgElement } from './svg.ts';

import { boldFactor } from './text-width.ts';
import { coloursMax, type Ink } from './theme.ts';

const endLabelHeight = 14;
/** Up to so many labels each point is marked. */
const markedLabelsMax = 31;

/** Lines, each with its last value and its name at its end; the series that have no room for these are not drawn. */
export const drawLine: Draw<'line'> = (chart, box, ink) => {
  const { labels, unit } = chart;
  const fitting = Math.max(1, Math.floor((box.height - 24) / endLabelHeight));
  const series = chart.series.slice(0, Math.min(coloursMax, fitting));
  const ends = series.map((one) => {
    const last = lastOf(one);
    return { one, last, value: last === undefined ? '–' : shownNumber(one.values[last] ?? null, unit) };
  });
  const valueWidth =
    boldFactor *
    widest(
      ends.map(({ value }) => value),
      textSize.label,
      80,
    );
  const nameWidth = widest(
    series.map(({ label }) => label),
    textSize.label,
    box.width * 0.24,
  );
  const rightWidth = 16 + valueWidth + (nameWidth === 0 ? 0 : 8 + nameWidth);
  const plot = plotOf(valuesOf(series), unit, { ...box, width: box.width - rightWidth }, ink);
  const inset = Math.min(8, plot.box.width / 4);
  const step = labels.length > 1 ? (plot.box.width - 2 * inset) / (labels.length - 1) : 0;
  const at = (index: number): number =>
    labels.length > 1 ? plot.box.x + inset + index * step : plot.box.x + plot.box.width / 2;
  const right = plot.box.x + plot.box.width;
  const wanted = ends.map(({ one, last }) => plot.scale.at(drawable(one.values[last ?? 0]) ?? 0));
  const places = apart(wanted, plot.box.y + 4, plot.box.y + plot.box.height);
  // The first series is the most important one and lies on top.
  const lines = [...series].reverse().flatMap((one) => lineOf(one, at, plot.scale, step, ink));
  const names = ends.flatMap(({ one, last, value }, index) => {
    const y = places[index] ?? 0;
    const x = right + 14;
    const from: [number, number] = [at(last ?? labels.length - 1) + 4, wanted[index] ?? 0];
    return [
      straight(from, [x - 3, y], { ...ink.stroke(one.colour), 'stroke-opacity': 0.5, ...dashOf(one) }),
      textAt(ink, { x: x + valueWidth, y: y + 4, text: value, anchor: 'end', colour: one.colour, isBold: true }),
      ...(nameWidth === 0
        ? []
        : [textAt(ink, { x: x + valueWidth + 8, y: y + 4, text: one.label, widthMax: nameWidth + 1 })]),
    ];
  });
  return {
    elements: [...plot.elements, ...labelsBelow(labels, at, plot.box, box, ink), ...lines, ...names],
    rest: andMore(chart.series.length - series.length, 'series', 'series'),
  };
};

function lastOf({ values }: Series): number | undefined {
  const last = values.findLastIndex((value) => drawable(value) !== null);
  return last === -1 ? undefined : last;
}

function dashOf({ isPrevious = false }: Series): { 'stroke-dasharray'?: string } {
  return isPrevious ? { 'stroke-dasharray': '5 4' } : {};
}

/** Path of a series, and marks where its points are few or stand alone. */
function lineOf(one: Series, at: (index: number) => number, scale: ValueScale, step: number, ink: Ink): SvgElement[] {
  const parts: string[] = [];
  const marks: SvgElement[] = [];
  const points = thinned(one.values.map(drawable), step);
  for (const [place, { index, value }] of points.entries()) {
    if (value === null) continue;
    const [x, y] = [at(index), scale.at(value)];
    const isBegun = (points[place - 1]?.value ?? null) !== null;
    const goesOn = (points[place + 1]?.value ?? null) !== null;
    parts.push(`${isBegun ? 'L' : 'M'}${decimal(x)} ${decimal(y)}`);
    if (one.values.length <= markedLabelsMax || (!isBegun && !goesOn))
      marks.push(element('circle', { cx: x, cy: y, r: 2.5, ...ink.fill(one.colour) }));
  }
  if (parts.length === 0) return [];
  const path = { d: parts.join(''), fill: 'none', 'stroke-width': 2, 'stroke-linejoin': 'round' };
  return [element('path', { ...path, ...ink.stroke(one.colour), ...dashOf(one) }), ...marks];
}

/** Points of a series; where many share a pixel, the least and the largest of them. */
function thinned(values: readonly (number | null)[], step: number): { index: number; value: number | null }[] {
  const all = values.map((value, index) => ({ index, value }));
  if (step >= 0.5 || all.length < 3) return all;
  const perPixel = Math.ceil(1 / Math.max(step, 1e-6));
  return all.flatMap((_, from) => {
    if (from % perPixel !== 0) return [];
    const known = all.slice(from, from + perPixel).filter(({ value }) => value !== null);
    const sorted = known.toSorted((left, right) => Number(left.value) - Number(right.value));
    const [least, largest] = [sorted[0], sorted.at(-1)];
    if (least === undefined || largest === undefined) return [{ index: from, value: null }];
    return least.index === largest.index ? [least] : [least, largest].toSorted((a, b) => a.index - b.index);
  });
}

/** Heights of texts near those that are wanted, so that none covers another. */
function apart(wanted: readonly number[], top: number, bottom: number): number[] {
  const order = wanted.map((y, index) => ({ y, index })).toSorted((a, b) => a.y - b.y || a.index - b.index);
  const placed: number[] = [];
  let free = top;
  for (const { y, index } of order) {
    placed[index] = Math.max(y, free);
    free = placed[index] + endLabelHeight;
  }
  let most = bottom;
  for (const { index } of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? 0, most);
    most = placed[index] - endLabelHeight;
  }
  return placed;
}
