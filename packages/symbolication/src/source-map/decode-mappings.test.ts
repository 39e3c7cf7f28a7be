import { describe, expect, test } from '@jest/globals';
import { FlattenMap, originalPositionFor, TraceMap, type SectionedSourceMapInput } from '@jridgewell/trace-mapping';
import fc from 'fast-check';
import { SymbolDataError } from '../symbol-data-error.ts';
import { mappingsOf, mapText, type TestSegment, vlq } from '../testing/map-texts.ts';
import { decodeMappings } from './decode-mappings.ts';
import { findSegment, none } from './segments.ts';
import { readSourceMap, type SourceMap } from './source-map.ts';

const sources = ['a.js', 'b.js', 'c.js'];
const names = ['one', 'two'];

/** Decodes the mappings of a map with three sources and two names. */
const decode = (mappings: string) => decodeMappings(readSourceMap(mapText({ sources, names, mappings })).pieces);

const places = Array.from({ length: 12 * 62 }, (_, index) => ({ line: Math.floor(index / 62), column: index % 62 }));

/** Answers of a map about each of these places (from 0), by our columns. */
function byOurColumns(map: SourceMap): unknown[] {
  const segments = decodeMappings(map.pieces);
  return places.map(({ line, column }) => {
    const at = findSegment(segments, line, column);
    const source = at === -1 ? none : (segments.source[at] as number);
    if (source === none) return [null, null, null, null];
    const name = segments.name[at] as number;
    return [
      map.sources[source],
      (segments.originalLine[at] as number) + 1,
      segments.originalColumn[at],
      name === none ? null : map.names[name],
    ];
  });
}

const columns = fc.integer({ min: 0, max: 30 });
const segment: fc.Arbitrary<TestSegment> = fc.oneof(
  fc.tuple(columns),
  fc.tuple(columns, fc.nat(2), fc.nat(9), columns),
  fc.tuple(columns, fc.nat(2), fc.nat(9), columns, fc.nat(1)),
);
/** Segments in any order, several of one place among them, and lines without any. */
const lines = fc.array(fc.array(segment, { maxLength: 6 }), { maxLength: 5 });

test('every place of a flat map is where trace-mapping finds it', () => {
  const property = fc.property(lines, (given) => {
    const text = mapText({ sources, names, mappings: mappingsOf(given) });
    expectSamePlaces(text, new TraceMap(text));
  });
  fc.assert(property, { numRuns: 300 });
});

test('every place of an index map is where trace-mapping finds it', () => {
  const starts = fc.uniqueArray(fc.tuple(fc.nat(6), columns), { minLength: 1, maxLength: 3, selector: String });
  const property = fc.property(starts, fc.array(lines, { minLength: 3, maxLength: 3 }), (offsets, given) => {
    const sections = offsets
      .sort(([line, column], [otherLine, otherColumn]) => line - otherLine || column - otherColumn)
      .map(([line, column], index) => ({
        offset: { line, column },
        map: JSON.parse(mapText({ sources, names, mappings: mappingsOf(given[index] ?? []) })) as never,
      }));
    const map = { version: 3, sections } as unknown as SectionedSourceMapInput;
    expectSamePlaces(JSON.stringify(map), new FlattenMap(map));
  });
  fc.assert(property, { numRuns: 300 });
});

function expectSamePlaces(text: string, oracle: TraceMap): void {
  const byOracle = places.map((place) => {
    const found = originalPositionFor(oracle, { ...place, line: place.line + 1 });
    return [found.source, found.line, found.column, found.name];
  });
  expect(byOurColumns(readSourceMap(text))).toEqual(byOracle);
}

test('large differences, up to 31 bits, are read as they are', () => {
  const { column, originalLine } = decode(mappingsOf([[[2 ** 31 - 1, 0, 2 ** 31 - 1, 0]]]));
  expect([column[0], originalLine[0]]).toEqual([2 ** 31 - 1, 2 ** 31 - 1]);
});

describe('mappings that are none are an error', () => {
  test.each([
    ['another digit', 'AA*A', 'mappings hold what is not a number'],
    ['a letter beyond ASCII', 'AAéA', 'mappings hold what is not a number'],
    ['a number without its end', 'AAAg', 'mappings hold what is not a number'],
    ['a number of 8 digits', 'ggggggggA', 'a number of mappings overflows'],
    ['endless digits', 'g'.repeat(1_000_000), 'a number of mappings overflows'],
    ['33 bits', vlq(2 ** 32), 'a number of mappings overflows'],
    ['32 bits', vlq(2 ** 31 - 1) + ',' + vlq(1), 'a number of mappings is out of range'],
    ['a column below zero', 'D', 'a number of mappings is out of range'],
    ['a line below zero', 'AADA', 'a number of mappings is out of range'],
    ['a source that is not there', 'AGAA', 'a segment names source 3 of 3'],
    ['a name that is not there', 'AAAAE', 'a segment names name 2 of 2'],
    ['two fields', 'AA', 'mappings hold what is not a number'],
    ['six fields', 'AAAAAA', 'a segment has more than 5 fields'],
    ['too many segments', 'A,'.repeat(10_000_001), 'more than 10000000 segments'],
  ])('%s', (_name, mappings, reason) => {
    expect(() => decode(mappings)).toThrow(new SymbolDataError('map', reason));
  });

  test('whatever text stands for them, it is read or is a SymbolDataError', () => {
    const property = fc.property(fc.string({ unit: fc.constantFrom(...'ACDEgz9+/,;*é') }), (mappings) => {
      let failure: unknown;
      try {
        decode(mappings);
      } catch (error) {
        failure = error;
      }
      expect(failure === undefined || failure instanceof SymbolDataError).toBe(true);
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});
