import { SaxesParser } from 'saxes';

/** Picture as a strict reader of XML sees it. */
export interface ReadSvg {
  /** Names of its elements. */
  elements: Set<string>;
  /** Names of its attributes. */
  attributes: Set<string>;
  /** Texts of its `text` elements, in order. */
  texts: string[];
  /** Values of all attributes that are one number. */
  numbers: number[];
}

/** @throws {Error} for what is no well-formed XML: strict about characters, quotes and ends, as browsers are for SVG */
export function readSvg(svg: string): ReadSvg {
  const read: ReadSvg = { elements: new Set(), attributes: new Set(), texts: [], numbers: [] };
  const parser = new SaxesParser();
  const open: string[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name);
    read.elements.add(name);
    for (const [key, value] of Object.entries(attributes)) {
      read.attributes.add(key);
      if (value !== '' && !Number.isNaN(Number(value))) read.numbers.push(Number(value));
    }
  });
  parser.on('text', (text) => {
    if (open.at(-1) === 'text') read.texts.push(text);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(svg).close();
  return read;
}
