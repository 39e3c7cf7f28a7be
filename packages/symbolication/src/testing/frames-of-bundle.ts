import type { Bundler, PrintedFrame, RecordedBundle } from './bundles.ts';

/** A frame with the place in the source that it must lead to. */
export interface ExpectedFrame {
  frame: PrintedFrame;
  /** `function file:line`. */
  expected: string;
}

/** The frames of all stacks of a bundle. */
export function framesOf({ stacks, expected }: RecordedBundle): ExpectedFrame[] {
  return Object.entries(stacks).flatMap(([scenario, frames]) => {
    const originals = expected[scenario] ?? [];
    if (originals.length !== frames.length)
      throw new Error(`${scenario}: ${frames.length} frames of ${originals.length}`);
    return frames.map((frame, index) => ({ frame, expected: placeOf(originals[index] as PrintedFrame) }));
  });
}

/** A printed frame as `function file:line`. Engines print the receiver and the kind of a function before its name, which are left out. */
export const placeOf = ({ function: name, file, line }: PrintedFrame): string =>
  `${name.replace(/^get |^(?:Object|_?Cart)\./, '') || '<anonymous>'} ${file}:${line}`;

/** Calls of functions that swc inlined: its map has no segment at the parenthesis, and names the end of the function before it. */
const misplacedBySwc: Readonly<Record<string, string>> = {
  '<anonymous> shop.js:11': '<anonymous> shop.js:33',
  'order shop.js:44': 'order shop.js:53',
};

/** The place to which the bundler's map leads for a frame of this place in the source: the same, but for calls that swc inlined. */
export const placeByMap = (bundler: Bundler, place: string): string =>
  bundler === 'swc' ? (misplacedBySwc[place] ?? place) : place;
