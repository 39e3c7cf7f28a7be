import type { Chart } from '../chart.ts';
import { describeChart, isEmpty } from './describe-chart.ts';
import { drawBars } from './draw-bars.ts';
import { drawFunnel } from './draw-funnel.ts';
import { drawHeatMap } from './draw-heat-map.ts';
import { drawLine } from './draw-line.ts';
import { drawNumbers } from './draw-numbers.ts';
import { drawTable } from './draw-table.ts';
import { drawTotals } from './draw-totals.ts';
import { joinedRests, rectangle, textAt, textSize, type Box, type Drawing } from './layout.ts';
import { element, svgText } from './svg.ts';
import { fitted } from './text-width.ts';
import { inkOf, styleOf, type Ink, type Theme } from './theme.ts';

/** Looks of a picture; sizes in pixels. */
export interface ChartLook {
  theme: Theme;
  width: number;
  height: number;
}

/** Limits in which every form is legible; the default size is that of a picture in a README. */
export const chartSizes = {
  width: { min: 280, max: 2_000, default: 640 },
  height: { min: 160, max: 2_000, default: 360 },
};

const padding = 16;
const titleHeight = 40;
const noteHeight = 20;
/** Some 300 characters, in which no title of ours is cut. */
const toldTitleWidth = 200;

/**
 * SVG text of a chart: a document of its own without scripts and without anything that is loaded. Texts are data of users and
 * are escaped. The same chart and look are the same bytes. Sizes outside of `chartSizes` are moved into them. Pure.
 */
export function drawChart(chart: Chart, look: Partial<ChartLook> = {}): string {
  const { theme = 'auto' } = look;
  const width = within(look.width, chartSizes.width);
  const height = within(look.height, chartSizes.height);
  const ink = inkOf(theme);
  const box = { x: padding, y: titleHeight + 4, width: width - 2 * padding, height: height - titleHeight - padding };
  const { elements, rest } = drawnInside(chart, box, ink);
  const note = joinedRests([rest, chart.note]);
  const picture = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'font-family': 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif',
    },
    [
      element('title', {}, [fitted(chart.title, 1, toldTitleWidth)]),
      element('desc', {}, [describeChart(chart)]),
      ...styleOf(theme),
      rectangle({ x: 0, y: 0, width, height }, ink.fill('background')),
      textAt(ink, { x: padding, y: 28, text: chart.title, size: textSize.title, isBold: true, widthMax: box.width }),
      ...elements,
      ...(note === undefined ? [] : [textAt(ink, noteAt(note, box))]),
    ],
  );
  return `${svgText(picture)}\n`;
}

/** Drawing of the form; in less room when something must be said below it. */
function drawnInside(chart: Chart, box: Box, ink: Ink): Drawing {
  if (isEmpty(chart)) return { elements: [noData(box, ink)] };
  const smaller = { ...box, height: box.height - noteHeight };
  if (chart.note !== undefined) return drawForm(chart, smaller, ink);
  const whole = drawForm(chart, box, ink);
  return whole.rest === undefined ? whole : drawForm(chart, smaller, ink);
}

function drawForm(chart: Chart, box: Box, ink: Ink): Drawing {
  switch (chart.form) {
    case 'line':
      return drawLine(chart, box, ink);
    case 'bars':
      return drawBars(chart, box, ink);
    case 'totals':
      return drawTotals(chart, box, ink);
    case 'funnel':
      return drawFunnel(chart, box, ink);
    case 'heat-map':
      return drawHeatMap(chart, box, ink);
    case 'numbers':
      return drawNumbers(chart, box, ink);
    case 'table':
      return drawTable(chart, box, ink);
  }
}

function noData(box: Box, ink: Ink) {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return textAt(ink, { x, y, text: 'No data', size: 14, anchor: 'middle', colour: 'quiet' });
}

function noteAt(text: string, box: Box) {
  const y = box.y + box.height + 2;
  return { x: box.x, y, text, size: textSize.small, colour: 'quiet' as const, widthMax: box.width };
}

function within(given: number | undefined, { min, max, default: usual }: (typeof chartSizes)['width']): number {
  return Number.isFinite(given) ? Math.round(Math.min(Math.max(given ?? usual, min), max)) : usual;
}
