import type { Chart } from '../chart.ts';
import { element, type Attributes, type SvgElement } from './svg.ts';
import { boldFactor, fitted, textWidth } from './text-width.ts';
import type { Colour, Ink } from './theme.ts';

/** Part of the picture, in pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Drawn form. `rest` says what had no room, such as "and 13 more series". */
export interface Drawing {
  elements: readonly SvgElement[];
  rest?: string | undefined;
}

/** Draws a form inside a box. Pure. */
export type Draw<Form extends Chart['form']> = (chart: Extract<Chart, { form: Form }>, box: Box, ink: Ink) => Drawing;

/** Sizes of text in pixels. */
export const textSize = { title: 16, label: 12, small: 11 };

/** Text at a place: `y` is its base line, and what is wider than `widthMax` is cut. */
export interface PlacedText {
  x: number;
  y: number;
  text: string;
  size?: number;
  anchor?: 'start' | 'middle' | 'end';
  colour?: Colour;
  isBold?: boolean;
  widthMax?: number;
}

export function textAt(ink: Ink, placed: PlacedText): SvgElement {
  const { x, y, text, size = textSize.label, anchor = 'start', colour = 'text', isBold = false, widthMax } = placed;
  return element(
    'text',
    {
      x,
      y,
      'font-size': size,
      ...(anchor !== 'start' && { 'text-anchor': anchor }),
      ...(isBold && { 'font-weight': 600 }),
      ...ink.fill(colour),
    },
    [widthMax === undefined ? text : fitted(text, isBold ? size * boldFactor : size, widthMax)],
  );
}

export function rectangle({ x, y, width, height }: Box, attributes: Attributes): SvgElement {
  return element('rect', { x, y, width: Math.max(width, 0), height: Math.max(height, 0), ...attributes });
}

export function straight(from: [number, number], to: [number, number], attributes: Attributes): SvgElement {
  return element('line', { x1: from[0], y1: from[1], x2: to[0], y2: to[1], ...attributes });
}

/** Width of the widest of some texts, at most `widthMax`. */
export function widest(texts: readonly string[], size: number, widthMax: number): number {
  let width = 0;
  for (const text of texts) {
    if (width >= widthMax) break;
    width = Math.max(width, textWidth(fitted(text, size, widthMax), size));
  }
  return Math.min(width, widthMax);
}

/** "and 1,988 more rows" for those that are left out; undefined when all are drawn. */
export function andMore(count: number, one: string, many = `${one}s`): string | undefined {
  return count > 0 ? `and ${count.toLocaleString('en-US')} more ${count === 1 ? one : many}` : undefined;
}

/** Sentences of what is not drawn, one behind the other; undefined when there are none. */
export function joinedRests(rests: readonly (string | undefined)[]): string | undefined {
  const told = rests.filter((rest) => rest !== undefined);
  return told.length === 0 ? undefined : told.join(', ');
}
