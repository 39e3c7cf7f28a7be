import { vlq } from '@millrace/symbolication/testing/map-texts.ts';

/** A minified script with its map, as generated for the bench. */
export interface GeneratedBundle {
  script: string;
  map: string;
  segments: number;
  /** Where calls stand that can fail, line and column from 1, in no order. */
  places: { line: number; column: number }[];
}

/** A piece of minified code with its place in the source: line and column within its unit, and whether it has a name. */
type Piece = readonly [text: string, line: number, column: number, isNamed?: true];

/** Two functions that call another, without their names: `#` stands for that of the unit, `@` for that of the next. */
const pieces: readonly Piece[] = [
  ['function ', 4, 0],
  ['#', 4, 9, true],
  ['(', 4, 9],
  ['e,', 4, 30, true],
  ['t){', 4, 37, true],
  ['const ', 5, 2],
  ['n=', 5, 8, true],
  ['@(', 5, 15, true],
  ['e.', 5, 30, true],
  ['items', 5, 36],
  [',t);', 5, 43, true],
  ['if(', 6, 2],
  ['n>12)', 6, 6, true],
  ['throw ', 6, 16],
  ['new ', 6, 22],
  ['Error(', 6, 26],
  ['"too many");', 6, 32],
  ['return ', 7, 2],
  ['n.', 7, 9, true],
  ['map(', 7, 15],
  ['r=>', 7, 19, true],
  ['r.', 7, 28, true],
  ['total', 7, 33],
  ['*t)', 7, 41, true],
  ['}', 8, 0],
];
const failing = pieces.findIndex(([text]) => text === 'Error(');
const linesOfUnit = 10;
const unitsOfLine = 5_000;
const unitsOfSource = 40;
const nameCount = 20_000;

/** Generates a bundle of about so many segments; the same each time. A million of them make a script of 4 MB and a map of 30 MB. */
export function generateBundle(segments: number): GeneratedBundle {
  const units = Math.ceil(segments / pieces.length);
  const script: string[] = [];
  const mappings: string[] = [];
  const places: GeneratedBundle['places'] = [];
  const before = [0, 0, 0, 0, 0];
  let column = 0;
  for (let unit = 0; unit < units; unit++) {
    const isLineStart = unit % unitsOfLine === 0;
    if (isLineStart && unit > 0) [column, before[0]] = [0, 0];
    if (isLineStart && unit > 0) script.push('\n');
    const source = Math.floor(unit / unitsOfSource);
    const firstLine = (unit % unitsOfSource) * linesOfUnit;
    for (const [index, [text, line, ofLine, isNamed]] of pieces.entries()) {
      const piece = text.replace('#', minified(unit)).replace('@', minified((unit + 1) % units));
      const name = (unit * 7 + index * 131) % nameCount;
      const separator = index > 0 || !isLineStart ? ',' : unit > 0 ? ';' : '';
      const fields = [column, source, firstLine + line, ofLine, ...(isNamed ? [name] : [])];
      mappings.push(separator, ...fields.map((value, field) => difference(before, field, value)));
      if (index === failing) places.push({ line: Math.floor(unit / unitsOfLine) + 1, column: column + 1 });
      script.push(piece);
      column += piece.length;
    }
  }
  const map = JSON.stringify({ version: 3, ...sourcesOf(units), names: names(), mappings: mappings.join('') });
  return { script: script.join(''), map, segments: units * pieces.length, places: shuffled(places) };
}

const minified = (unit: number): string => `_${unit.toString(36)}`;
const names = (): string[] => Array.from({ length: nameCount }, (_, index) => `name${index}`);

function sourcesOf(units: number): { sources: string[]; sourcesContent: string[] } {
  const count = Math.ceil(units / unitsOfSource);
  const sources = Array.from(
    { length: count },
    (_, index) => `webpack:///./src/feature-${index % 100}/file-${index}.ts`,
  );
  return { sources, sourcesContent: sources.map((_, index) => contentOf(index * unitsOfSource)) };
}

function contentOf(firstUnit: number): string {
  const content: string[] = [];
  for (let unit = firstUnit; unit < firstUnit + unitsOfSource; unit++)
    content.push(
      '/**\n',
      ` * Totals of the items of order ${unit}, each times a factor that the caller has from its settings or from elsewhere.\n`,
      ` * It fails for orders that have too many items, since nobody has ever sold as many "in one go" as number ${unit}.\n`,
      ' */\n',
      `function name${unit}totals        (order, factor) {\n`,
      `  const found = name${unit + 1}items      (order.items, factor);\n`,
      '  if (found > 12) throw new Error("too many");\n',
      '  return found.map((one) => one.total * factor);\n',
      '}\n',
      '\n',
    );
  return content.join('');
}

function difference(before: number[], field: number, value: number): string {
  const text = vlq(value - (before[field] ?? 0));
  before[field] = value;
  return text;
}

/** The same order each time, without a pattern that processors could learn. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  const result = [...items];
  let state = 1;
  for (let index = result.length - 1; index > 0; index--) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const other = state % (index + 1);
    [result[index], result[other]] = [result[other] as Item, result[index] as Item];
  }
  return result;
}
