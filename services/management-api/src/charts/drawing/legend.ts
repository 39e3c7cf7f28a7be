import type { Series } from '../chart.ts';
import { rectangle, textAt, textSize, type Box } from './layout.ts';
import type { SvgElement } from './svg.ts';
import { fitted, textWidth } from './text-width.ts';
import { coloursMax, type Ink } from './theme.ts';

const rowHeight = 18;
const swatch = 11;
const rowsMax = 3;

/** Names of series with their colours. `count`: series that have a name there; the others are not drawn either. */
export function legendOf(
  series: readonly Series[],
  box: Box,
  ink: Ink,
): { elements: SvgElement[]; height: number; count: number } {
  const elements: SvgElement[] = [];
  const rowsMost = Math.min(rowsMax, Math.max(1, Math.floor((box.height * 0.3) / rowHeight)));
  let [x, row, count] = [box.x, 0, 0];
  for (const one of series.slice(0, coloursMax)) {
    const text = fitted(one.label, textSize.label, Math.min(180, box.width - 30));
    const width = swatch + 6 + textWidth(text, textSize.label) + 14;
    if (x > box.x && x + width - 14 > box.x + box.width) [x, row] = [box.x, row + 1];
    if (row === rowsMost) break;
    const y = box.y + row * rowHeight;
    elements.push(
      rectangle({ x, y: y + 1, width: swatch, height: swatch }, { rx: 2, ...barInk(one, ink) }),
      textAt(ink, { x: x + swatch + 6, y: y + 11, text }),
    );
    x += width;
    count += 1;
  }
  const height = count === 0 ? 0 : (Math.min(row, rowsMost - 1) + 1) * rowHeight + 6;
  return { elements, height, count };
}

/** Bars of an earlier period are an outline with little colour inside. */
export function barInk({ colour, isPrevious = false }: Series, ink: Ink): Record<string, string | number | undefined> {
  if (!isPrevious) return ink.fill(colour);
  const { class: fillClass, ...fill } = ink.fill(colour);
  const { class: strokeClass, ...stroke } = ink.stroke(colour);
  const classes = fillClass === undefined ? {} : { class: `${fillClass} ${strokeClass}` };
  return { ...fill, ...stroke, 'fill-opacity': 0.2, ...classes };
}
