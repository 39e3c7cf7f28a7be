import type { TableChart } from '../chart.ts';
import { andMore, joinedRests, straight, textAt, textSize, widest, type Draw } from './layout.ts';
import { shownNumber } from './shown-number.ts';

const row = 21;
const gap = 16;
const textMin = 70;

/** Table with numbers to the right; rows and columns that have no room are left out at the end. */
export const drawTable: Draw<'table'> = (chart, box, ink) => {
  const size = textSize.label;
  const rows = chart.rows.slice(0, Math.max(1, Math.floor((box.height - row - 4) / row)));
  const cells = rows.map((values) => chart.columns.map((column, index) => cellText(column, values[index] ?? null)));
  const widths = widthsOf(chart, cells, box.width);
  const starts = widths.map((_, index) => box.x + sum(widths.slice(0, index)) + gap * index);
  const line = (texts: readonly string[], y: number, colour: 'text' | 'quiet') =>
    widths.map((width, index) => {
      const isNumber = chart.columns[index]?.unit !== undefined;
      const x = (starts[index] ?? 0) + (isNumber ? width : 0);
      const anchor = isNumber ? ('end' as const) : ('start' as const);
      return textAt(ink, { x, y, text: texts[index] ?? '', size, anchor, colour, widthMax: width + 1 });
    });
  const edge = (y: number, colour: 'axis' | 'grid') =>
    straight([box.x, y], [box.x + sum(widths) + gap * (widths.length - 1), y], ink.stroke(colour));
  const head = chart.columns.map(({ label }) => label);
  return {
    elements: [
      ...line(head, box.y + 14, 'quiet'),
      edge(box.y + row, 'axis'),
      ...cells.flatMap((texts, index) => [
        ...line(texts, box.y + (index + 2) * row - 6, 'text'),
        edge(box.y + (index + 2) * row, 'grid'),
      ]),
    ],
    rest: joinedRests([
      andMore(chart.rows.length - rows.length, 'row'),
      andMore(chart.columns.length - widths.length, 'column'),
    ]),
  };
};

function cellText({ unit }: TableChart['columns'][number], value: string | number | null): string {
  if (typeof value === 'string') return value;
  return shownNumber(value, unit ?? 'count');
}

/** Widths of the columns that have room: numbers as wide as they are, and texts share the rest. */
function widthsOf(chart: TableChart, cells: readonly (readonly string[])[], room: number): number[] {
  const wanted = chart.columns.map(({ label, unit }, index) => {
    const texts = [label, ...cells.map((texts) => texts[index] ?? '')];
    return widest(texts, textSize.label, unit === undefined ? room : 110);
  });
  const least = chart.columns.map(({ unit }, index) =>
    unit === undefined ? Math.min(wanted[index] ?? 0, textMin) : (wanted[index] ?? 0),
  );
  let count = chart.columns.length;
  while (count > 1 && sum(least.slice(0, count)) + gap * (count - 1) > room) count -= 1;
  const numberWidth = sum(least.slice(0, count).filter((_, index) => chart.columns[index]?.unit !== undefined));
  let textRoom = room - gap * (count - 1) - numberWidth;
  let texts = chart.columns.slice(0, count).filter(({ unit }) => unit === undefined).length;
  return chart.columns.slice(0, count).map(({ unit }, index) => {
    if (unit !== undefined) return least[index] ?? 0;
    const width = Math.max(textMin / 2, Math.min(wanted[index] ?? 0, textRoom / texts));
    textRoom -= width;
    texts -= 1;
    return width;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
