import type { Series, Unit } from '../chart.ts';
import { straight, textAt, textSize, widest, type Box } from './layout.ts';
import { valueScale, type ValueScale } from './scale.ts';
import { shownTicks } from './shown-number.ts';
import type { SvgElement } from './svg.ts';
import { fitted, textWidth } from './text-width.ts';
import type { Ink } from './theme.ts';

/** Area between the axes, and the scale of its height. */
export interface Plot {
  elements: SvgElement[];
  box: Box;
  scale: ValueScale;
}

const bottomHeight = 22;
const pixelsPerTick = 50;

/** Grid, marks of the upright axis and the line of 0, inside a box that is drawn up to its right edge. */
export function plotOf(values: readonly (number | null)[], unit: Unit, box: Box, ink: Ink): Plot {
  const bottom = box.y + box.height - bottomHeight;
  const top = box.y + 6;
  const count = Math.max(2, Math.round((bottom - top) / pixelsPerTick));
  const scale = valueScale(values, bottom, top, count);
  const shown = shownTicks(scale.ticks, unit);
  const left = box.x + widest(shown, textSize.small, box.width / 4) + 8;
  const right = box.x + box.width;
  const elements = scale.ticks.flatMap((tick, index) => [
    straight([left, scale.at(tick)], [right, scale.at(tick)], ink.stroke(tick === 0 ? 'axis' : 'grid')),
    textAt(ink, {
      x: left - 8,
      y: scale.at(tick) + 4,
      text: shown[index] ?? '',
      size: textSize.small,
      anchor: 'end',
      colour: 'quiet',
    }),
  ]);
  return { elements, box: { x: left, y: top, width: right - left, height: bottom - top }, scale };
}

/** Labels below a plot, as many as have room. `at`: middle of a label's place. None goes over the edges of `box`. */
export function labelsBelow(
  labels: readonly string[],
  at: (index: number) => number,
  plot: Box,
  box: Box,
  ink: Ink,
): SvgElement[] {
  const size = textSize.small;
  const width = widest(labels, size, 110);
  const step = labels.length > 1 ? Math.abs(at(1) - at(0)) : plot.width;
  const every = Math.max(1, Math.ceil((width + 14) / Math.max(step, 0.001)));
  const elements: SvgElement[] = [];
  let freeFrom = box.x;
  for (let index = 0; index < labels.length; index += every) {
    const text = fitted(labels[index] ?? '', size, 110);
    const half = textWidth(text, size) / 2;
    const x = Math.min(Math.max(at(index), box.x + half), box.x + box.width - half);
    if (x - half < freeFrom) continue;
    freeFrom = x + half + 6;
    elements.push(textAt(ink, { x, y: plot.y + plot.height + 17, text, size, anchor: 'middle', colour: 'quiet' }));
  }
  return elements;
}

/** All numbers of some series. */
export function valuesOf(series: readonly Series[]): (number | null)[] {
  return series.flatMap(({ values }) => values);
}
