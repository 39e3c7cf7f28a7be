import type { PrintedFrame, RecordedBundle } from './bundles.ts';

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

/** Engines print the receiver and the kind of a function before its name. */
const placeOf = ({ function: name, file, line }: PrintedFrame): string =>
  `${name.replace(/^get |^(?:Object|_?Cart)\./, '') || '<anonymous>'} ${file}:${line}`;
