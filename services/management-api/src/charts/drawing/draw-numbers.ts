import type { ShownNumber } from '../chart.ts';
import { andMore, textAt, textSize, type Box, type Draw } from './layout.ts';
import { shownNumber } from './shown-number.ts';
import type { SvgElement } from './svg.ts';
import { boldFactor, textWidth } from './text-width.ts';
import type { Ink } from './theme.ts';

const numbersMax = 12;
const tileHeightMin = 74;

/** One number in the middle, or several in one or more rows of tiles. */
export const drawNumbers: Draw<'numbers'> = (chart, box, ink) => {
  const perRowMost = Math.max(1, Math.min(3, Math.floor(box.width / 130)));
  const rowsMost = Math.max(1, Math.floor(box.height / tileHeightMin));
  const numbers = chart.numbers.slice(0, Math.min(numbersMax, perRowMost * rowsMost));
  const perRow = Math.min(perRowMost, numbers.length);
  const rowCount = Math.ceil(numbers.length / perRow);
  const [width, height] = [box.width / perRow, box.height / rowCount];
  const size = sizeOf(numbers, width, height);
  const elements = numbers.flatMap((number, index) => {
    const tile = { x: box.x + (index % perRow) * width, y: box.y + Math.floor(index / perRow) * height, width, height };
    return tileOf(number, tile, size, ink);
  });
  return { elements, rest: andMore(chart.numbers.length - numbers.length, 'number') };
};

/** One size of digits for all, so that they can be compared. */
function sizeOf(numbers: readonly ShownNumber[], width: number, height: number): number {
  const widestEms = Math.max(...numbers.map(({ value, unit }) => textWidth(shownNumber(value, unit), boldFactor)), 1);
  return Math.max(16, Math.min(numbers.length === 1 ? 72 : 40, (width - 28) / widestEms, height * 0.4));
}

function tileOf({ label, value, unit, change }: ShownNumber, tile: Box, size: number, ink: Ink): SvgElement[] {
  const x = tile.x + tile.width / 2;
  const top = tile.y + (tile.height - size - 44) / 2;
  const widthMax = tile.width - 12;
  const texts = [
    textAt(ink, { x, y: top + 14, text: label, anchor: 'middle', colour: 'quiet', widthMax }),
    textAt(ink, { x, y: top + 18 + size * 0.85, text: shownNumber(value, unit), size, anchor: 'middle', isBold: true }),
  ];
  if (change === undefined) return texts;
  const { percent, previous, isIncreaseBad } = change;
  const isGood = percent === null || percent === 0 ? undefined : percent > 0 !== isIncreaseBad;
  const before = `before: ${shownNumber(previous, unit)}`;
  const text =
    percent === null ? before : `${arrowOf(percent)} ${shownNumber(Math.abs(percent), 'percent')} · ${before}`;
  const colour = isGood === undefined ? 'quiet' : isGood ? 'good' : 'bad';
  const y = top + 38 + size * 0.85;
  return [...texts, textAt(ink, { x, y, text, size: textSize.label, anchor: 'middle', colour, widthMax })];
}

/** Direction of a change, so that it is not told by its colour alone. */
function arrowOf(percent: number): string {
  if (percent === 0) return '=';
  return percent > 0 ? '▲' : '▼';
}
