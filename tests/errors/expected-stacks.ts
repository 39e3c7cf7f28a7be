import { basename } from 'node:path';
import { type Bundler, readBundle } from '@millrace/symbolication/testing/bundles.ts';
import { placeByMap, placeOf } from '@millrace/symbolication/testing/frames-of-bundle.ts';

/** A frame that a reader of the source finds: `function file:line`, and the text of that line. */
export type ReadableFrame = readonly [place: string, text: string];

/** Scenarios of the shop of record/shop, and the stack of each in the source, the crash first. */
export function expectedStacks(bundler: Bundler): Map<string, ReadableFrame[]> {
  const { expected, map } = readBundle(bundler);
  const { sources, sourcesContent } = JSON.parse(map) as { sources: string[]; sourcesContent: string[] };
  const readable = (place: string): ReadableFrame => {
    const [file, line] = place.slice(place.lastIndexOf(' ') + 1).split(':');
    const content = sourcesContent[sources.findIndex((source) => basename(source) === file)];
    return [place, content?.split('\n')[Number(line) - 1] ?? ''];
  };
  return new Map(
    Object.entries(expected).map(([scenario, frames]) => [
      scenario,
      frames.map((frame) => readable(placeByMap(bundler, placeOf(frame)))),
    ]),
  );
}
