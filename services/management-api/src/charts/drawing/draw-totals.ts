import type { Series, Unit } from '../chart.ts';
import { valuesOf } from './axes.ts';
import { andMore, rectangle, straight, textAt, textSize, widest, type Draw } from './layout.ts';
import { barInk, legendOf } from './legend.ts';
import { drawable, valueScale, type ValueScale } from './scale.ts';
import { shownNumber } from './shown-number.ts';
import type { SvgElement } from './svg.ts';
import type { Ink } from './theme.ts';

const barMax = 26;

/** Horizontal bars with their label before and their number behind them; rows that have no room are left out at the end. */
export const drawTotals: Draw<'totals'> = (chart, box, ink) => {
  const { series, unit } = chart;
  const legend = series.length > 1 ? legendOf(series, box, ink) : { elements: [], height: 0 };
  const top = box.y + legend.height;
  const rowMin = series.length * 13 + 6;
  const fitting = Math.max(1, Math.floor((box.height - legend.height) / rowMin));
  const labels = chart.labels.slice(0, fitting);
  const shown = series.map((one) => ({ ...one, values: one.values.slice(0, fitting) }));
  const row = Math.min((box.height - legend.height) / labels.length, barMax * series.length + 12);
  const values = valuesOf(shown);
  const labelWidth = widest(labels, textSize.label, box.width * 0.35);
  const numberWidth =
    widest(
      values.map((value) => shownNumber(value, unit)),
      textSize.label,
      90,
    ) + 8;
  const hasNegative = values.some((value) => (drawable(value) ?? 0) < 0);
  const left = box.x + labelWidth + 10 + (hasNegative ? numberWidth : 0);
  const right = Math.max(left + 1, box.x + box.width - numberWidth);
  const scale = valueScale(values, left, right, 5);
  const bar = Math.min((row - 6) / series.length, barMax);
  const elements = labels.flatMap((label, index) => {
    const middle = top + (index + 0.5) * row;
    return [
      textAt(ink, { x: box.x + labelWidth, y: middle + 4, text: label, anchor: 'end', widthMax: labelWidth + 1 }),
      ...shown.flatMap((one, place) => {
        const y = middle + (place - series.length / 2) * bar;
        return barOf(one, index, { y, height: bar, scale, unit }, ink);
      }),
    ];
  });
  const zero: [number, number] = [scale.at(0), top];
  return {
    elements: [
      ...legend.elements,
      ...elements,
      straight(zero, [zero[0], top + row * labels.length], ink.stroke('axis')),
    ],
    rest: andMore(chart.labels.length - labels.length, 'row'),
  };
};

/** Bar of a value and its number, which stands on the side to which the bar grows. */
function barOf(
  one: Series,
  index: number,
  { y, height, scale, unit }: { y: number; height: number; scale: ValueScale; unit: Unit },
  ink: Ink,
): SvgElement[] {
  const value = drawable(one.values[index]) ?? 0;
  const [zero, end] = [scale.at(0), scale.at(value)];
  const area = { x: Math.min(zero, end), y: y + 0.5, width: Math.abs(end - zero), height: height - 1 };
  const place = value < 0 ? { x: end - 6, anchor: 'end' as const } : { x: end + 6 };
  const text = shownNumber(one.values[index] ?? null, unit);
  return [rectangle(area, { rx: 2, ...barInk(one, ink) }), textAt(ink, { ...place, y: y + height / 2 + 4, text })];
}
