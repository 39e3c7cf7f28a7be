import { escaped } from '../../pages/html.ts';

/** Attributes of an element; undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Element as a value. The only places where it becomes text are in this file, so that nothing reaches a document unescaped. */
export interface SvgElement {
  name: ElementName;
  attributes: Attributes;
  children: readonly (SvgElement | string)[];
}

/** Elements that a chart may have. No script, no foreign content, nothing that loads something. */
type ElementName = 'svg' | 'title' | 'desc' | 'style' | 'g' | 'rect' | 'path' | 'circle' | 'line' | 'text' | 'tspan';

export function element(
  name: ElementName,
  attributes: Attributes,
  children: readonly (SvgElement | string)[] = [],
): SvgElement {
  return { name, attributes, children };
}

/**
 * SVG text of an element. Texts and attributes are escaped and cleaned as `cleanText` says, numbers rounded to two decimals:
 * the same element is the same text.
 */
export function svgText({ name, attributes, children }: SvgElement): string {
  const given = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${shownText(typeof value === 'number' ? decimal(value) : String(value))}"`)
    .join('');
  if (children.length === 0) return `<${name}${given}/>`;
  const inner = children.map((child) => (typeof child === 'string' ? shownText(child) : svgText(child)));
  const separator = children.some((child) => typeof child === 'string') ? '' : '\n';
  return `<${name}${given}>${separator}${inner.join(separator)}${separator}</${name}>`;
}

/** Number with at most two decimals, never `-0` or an exponent. Coordinates are finite; anything else is 0. */
export function decimal(value: number): string {
  const rounded = Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
  return String(rounded === 0 ? 0 : rounded);
}

/**
 * Text without what XML forbids (control characters, lone surrogates, U+FFFE) and without the invisible characters that
 * reorder the text around them. Breaks and tabs are spaces.
 */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[\t\n\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, '')
    .toWellFormed();
}

const shownText = (text: string): string => escaped(cleanText(text));
