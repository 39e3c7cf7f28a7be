import { element, type Attributes, type SvgElement } from './svg.ts';

/** Colours of a drawing; `auto` is light, and dark for readers whose system is. */
export type Theme = 'light' | 'dark' | 'auto';

const seriesColours = {
  // Neighbours differ in hue and in lightness, so that they differ for colour-blind readers as well.
  light: '#1f5fbf #c2410c #0f766e #9333ea #a16207 #be185d #0369a1 #4d7c0f #b91c1c #6d28d9 #57534e #0e7490'.split(' '),
  dark: '#7fb0ff #fb923c #2dd4bf #c084fc #facc15 #f472b6 #38bdf8 #a3e635 #f87171 #a78bfa #d6d3d1 #22d3ee'.split(' '),
};

/** Colours by their task. Contrast with `background`: 4.5 for text, 3 for lines and bars (theme.test.ts). */
const namedColours = {
  light: {
    background: '#ffffff',
    text: '#1c1e21',
    quiet: '#5b6069',
    grid: '#e3e5e9',
    axis: '#8b919b',
    track: '#eef0f3',
    heat: '#3b82f6',
    good: '#15803d',
    bad: '#b42318',
  },
  dark: {
    background: '#16181d',
    text: '#eceef2',
    quiet: '#a6acb8',
    grid: '#2b2f37',
    axis: '#737a87',
    track: '#23262d',
    heat: '#3b82f6',
    good: '#4ade80',
    bad: '#f98a80',
  },
};

/** Series that have a colour of their own. */
export const coloursMax = seriesColours.light.length;

/** Opacity of the colour of 100% in a heat map, so that text on it keeps its contrast. */
export const heatOpacityMax = { light: 0.62, dark: 0.55 };

/** Task of a colour: that of text, grid and so on, or the place of a series. */
export type Colour = keyof (typeof namedColours)['light'] | number;

/** Colour as `#rrggbb`. */
export function colourOf(colour: Colour, theme: 'light' | 'dark'): string {
  if (typeof colour !== 'number') return namedColours[theme][colour];
  return seriesColours[theme][colour % coloursMax] ?? '';
}

/** Attributes by which an element is painted in a theme. */
export interface Ink {
  fill(colour: Colour): Attributes;
  stroke(colour: Colour): Attributes;
  /** Background of a cell with a percentage. */
  heat(percent: number): Attributes;
}

/**
 * Colours are attributes, which outlive a reader that removes styles. `auto` adds a class to each, and the dark colours stand in
 * the style sheet.
 */
export function inkOf(theme: Theme): Ink {
  const shown = theme === 'dark' ? 'dark' : 'light';
  const painted = (property: 'fill' | 'stroke', colour: Colour): Attributes => ({
    [property]: colourOf(colour, shown),
    ...(theme === 'auto' && { class: className(property, colour) }),
  });
  return {
    fill: (colour) => painted('fill', colour),
    stroke: (colour) => painted('stroke', colour),
    heat: (percent) => ({
      ...painted('fill', 'heat'),
      'fill-opacity': heatOpacityMax[shown] * Math.min(Math.max(percent / 100, 0), 1),
    }),
  };
}

/** Style sheet of `auto`; none for the other themes. The same for every chart, so that one hash allows it. */
export function styleOf(theme: Theme): SvgElement[] {
  return theme === 'auto' ? [element('style', {}, [styleText])] : [];
}

// A prefix, because styles of a picture that is put into a page count for the whole page.
function className(property: 'fill' | 'stroke', colour: Colour): string {
  return `mr-${property}-${typeof colour === 'number' ? colour % coloursMax : colour}`;
}

const colours: readonly Colour[] = [
  ...(Object.keys(namedColours.dark) as Colour[]),
  ...seriesColours.dark.map((_, index) => index),
];

/** Style sheet of the theme `auto`. */
export const styleText = `@media (prefers-color-scheme: dark) { ${colours
  .flatMap((colour) =>
    (['fill', 'stroke'] as const).map(
      (property) => `.${className(property, colour)} { ${property}: ${colourOf(colour, 'dark')} }`,
    ),
  )
  .join(' ')} }`;
