import { andMore, joinedRests, rectangle, textAt, textSize, widest, type Box, type Draw } from './layout.ts';
import { shownNumber } from './shown-number.ts';
import type { SvgElement } from './svg.ts';
import type { Ink } from './theme.ts';

const cellMin = { width: 42, height: 17 };
const cellMost = { width: 90, height: 30 };
const headHeight = 20;

/** Rows of percentages with a colour as strong as they are high; rows and columns that have no room are left out at the end. */
export const drawHeatMap: Draw<'heat-map'> = (chart, box, ink) => {
  const size = textSize.small;
  const rows = chart.rows.slice(0, Math.max(1, Math.floor((box.height - headHeight) / cellMin.height)));
  const labelWidth = widest(
    rows.map(({ label }) => label),
    size,
    Math.max(76, box.width * 0.25),
  );
  const sizes = rows.map((row) => shownNumber(row.size, 'count'));
  const sizeWidth = widest([...sizes, 'Size'], size, 70);
  const left = box.x + labelWidth + sizeWidth + 24;
  const room = Math.max(cellMin.width, box.x + box.width - left);
  const columns = chart.columns.slice(0, Math.floor(room / cellMin.width));
  const width = Math.min(room / columns.length, cellMost.width);
  const height = Math.min((box.height - headHeight) / rows.length, cellMost.height);
  const grid = { x: left, y: box.y + headHeight, width, height };
  const quiet = { size, colour: 'quiet' as const };
  const sizeText = (text: string, y: number) => textAt(ink, { x: left - 10, y, text, anchor: 'end', ...quiet });
  const head = columns.map((text, column) =>
    textAt(ink, { x: middleOf(column, grid), y: box.y + 12, text, anchor: 'middle', widthMax: width - 2, ...quiet }),
  );
  const body = rows.flatMap((row, index) => {
    const y = grid.y + (index + 0.5) * height + 4;
    return [
      textAt(ink, { x: box.x, y, text: row.label, size, widthMax: labelWidth + 1 }),
      sizeText(sizes[index] ?? '', y),
      ...columns.flatMap((_, column) => cellOf(row.values[column] ?? null, index, column, grid, ink)),
    ];
  });
  return {
    elements: [sizeText('Size', box.y + 12), ...head, ...body],
    rest: joinedRests([
      andMore(chart.rows.length - rows.length, 'row'),
      andMore(chart.columns.length - columns.length, 'column'),
    ]),
  };
};

/** Middle of a column; `grid` is the first cell. */
function middleOf(column: number, grid: Box): number {
  return grid.x + (column + 0.5) * grid.width;
}

function cellOf(percent: number | null, row: number, column: number, grid: Box, ink: Ink): SvgElement[] {
  if (percent === null) return [];
  const [x, y] = [grid.x + column * grid.width, grid.y + row * grid.height];
  const area = { x: x + 1, y: y + 1, width: grid.width - 2, height: grid.height - 2 };
  const text = shownNumber(percent, 'percent');
  const base = y + grid.height / 2 + 4;
  return [
    rectangle(area, { rx: 2, ...ink.fill('track') }),
    rectangle(area, { rx: 2, ...ink.heat(percent) }),
    textAt(ink, { x: middleOf(column, grid), y: base, text, size: textSize.small, anchor: 'middle' }),
  ];
}
