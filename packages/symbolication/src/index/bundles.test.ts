import { describe, expect, test } from '@jest/globals';
import { decodedMappings, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { bundlers, readBundle, type RecordedBundle } from '../testing/bundles.ts';
import { framesOf, placeByMap } from '../testing/frames-of-bundle.ts';
import { mappingsOf, type TestSegment } from '../testing/map-texts.ts';
import { compileIndex } from './compile-index.ts';
import { openIndex } from './symbol-index.ts';

/** `function file:line` of each frame, as a bundle's index has it, beside the expected one. */
function places({ bundle, map, ...recorded }: RecordedBundle) {
  const index = openIndex(compileIndex(bundle, map));
  return framesOf({ bundle, map, ...recorded }).map(({ frame, expected }) => {
    const found = index.lookUp(frame.line - 1, frame.column - 1);
    return { found: `${found?.functionName} ${found?.source?.split('/').at(-1)}:${found?.line}`, expected };
  });
}

/** The same bundle with another map. */
const withMap = (recorded: RecordedBundle, change: (map: Record<string, unknown>) => unknown): RecordedBundle => ({
  ...recorded,
  map: JSON.stringify(change(JSON.parse(recorded.map) as Record<string, unknown>)),
});

describe.each(bundlers)('%s', (bundler) => {
  const recorded = readBundle(bundler);
  const expectedOf = (place: string): string => placeByMap(bundler, place);

  test('every frame names function, file and line of the source', () => {
    const all = places(recorded);
    expect(all.map(({ found }) => found)).toEqual(all.map(({ expected }) => expectedOf(expected)));
    expect(all.length).toBeGreaterThan(15);
  });

  test('the same without names in the map: they are read in the sources', () => {
    const stripped = withMap(recorded, (map) => ({ ...map, names: [], mappings: withoutNames(recorded.map) }));
    const all = places(stripped);
    expect(all.map(({ found }) => found)).toEqual(all.map(({ expected }) => expectedOf(expected)));
  });

  test('without texts of sources the places stay, and no name is wrong', () => {
    const all = places(withMap(recorded, (map) => ({ ...map, sourcesContent: undefined })));
    for (const { found, expected } of all) {
      const [name, place] = found.split(' ');
      const [expectedName, expectedPlace] = expectedOf(expected).split(' ');
      expect(place).toBe(expectedPlace);
      expect([expectedName, 'undefined', '<anonymous>']).toContain(name);
    }
  });

  test('a script that cannot be parsed has no names, but places', () => {
    const all = places({ ...recorded, bundle: `${recorded.bundle}\n}}` });
    const placeOf = (text: string): string | undefined => text.split(' ')[1];
    expect(all.map(({ found }) => found)).toEqual(
      all.map(({ expected }) => `undefined ${placeOf(expectedOf(expected))}`),
    );
  });

  test('each column of each line leads to where trace-mapping leads', () => {
    const index = openIndex(compileIndex(recorded.bundle, recorded.map));
    const oracle = new TraceMap(recorded.map);
    const lines = recorded.bundle.split('\n').map((text, line) => ({ line, length: text.length + 2 }));
    const all = lines.flatMap(({ line, length }) => Array.from({ length }, (_, column) => ({ line, column })));
    const found = all.map(({ line, column }) => {
      const { source = null, line: ofLine = null, column: ofColumn = null } = index.lookUp(line, column) ?? {};
      return { source, line: ofLine, column: ofColumn };
    });
    const expected = all.map(({ line, column }) => {
      const { source, line: ofLine, column: ofColumn } = originalPositionFor(oracle, { line: line + 1, column });
      return { source, line: ofLine, column: ofColumn };
    });
    const named = (place: { source: string | null }) => ({ ...place, source: place.source?.split('/').at(-1) ?? null });
    expect(found.map(named)).toEqual(expected.map(named));
  });
});

/** Mappings whose segments have no names. */
function withoutNames(map: string): string {
  const lines = decodedMappings(new TraceMap(map));
  return mappingsOf(lines.map((line) => line.map((segment) => segment.slice(0, 4) as TestSegment)));
}
