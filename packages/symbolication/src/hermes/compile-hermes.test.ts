import { describe, expect, test } from '@jest/globals';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import fc from 'fast-check';
import { SourceMetadataMapConsumer } from 'metro-symbolicate/private/Symbolication';
import { openIndex } from '../index/symbol-index.ts';
import { SymbolDataError } from '../symbol-data-error.ts';
import { mappingsOf, mapText, type TestSegment, vlq } from '../testing/map-texts.ts';
import { compileHermes } from './compile-hermes.ts';

/** A place where the innermost function of a source changes. */
interface TestPlace {
  line: number;
  column: number;
  name: number;
}

const names = ['<global>', 'render', 'onPress', '<anonymous>'];

/** Metro's function map of these places, each with a group of its own. */
function functionMap(places: readonly TestPlace[]) {
  let [line, name] = [1, 0];
  const groups = places.map((place) => {
    const group = vlq(place.column) + vlq(place.name - name) + vlq(place.line - line);
    [line, name] = [place.line, place.name];
    return group;
  });
  return { names, mappings: groups.join(';') };
}

test('for generated maps, names and places are those of metro-symbolicate, at every address', () => {
  const segment: fc.Arbitrary<TestSegment> = fc.tuple(fc.nat(30), fc.nat(1), fc.nat(6), fc.nat(6));
  const place = fc.record({ line: fc.integer({ min: 1, max: 7 }), column: fc.nat(6), name: fc.nat(3) });
  const inOrder = (places: TestPlace[]) =>
    places.toSorted((one, other) => one.line - other.line || one.column - other.column);
  const property = fc.property(
    fc.uniqueArray(segment, { maxLength: 12, selector: ([address]) => address }),
    fc.array(place, { minLength: 1, maxLength: 6 }).map(inOrder),
    (segments, places) => {
      const sources = ['a.js', 'b.js'];
      const mappings = mappingsOf([segments.toSorted(([one], [other]) => one - other)]);
      const text = mapText({ sources, mappings, x_facebook_sources: [[functionMap(places)], null] });
      const index = openIndex(compileHermes(text));
      const trace = new TraceMap(text);
      const oracle = new SourceMetadataMapConsumer(JSON.parse(text) as never, (source) => source);
      for (let address = 0; address < 32; address++) {
        const found = index.lookUp(0, address);
        const expected = originalPositionFor(trace, { line: 1, column: address });
        const name = expected.source === null ? null : oracle.functionNameFor(expected);
        expect([found?.source ?? null, found?.line ?? null, found?.column ?? null]).toEqual([
          expected.source,
          expected.line,
          expected.column,
        ]);
        expect(found?.functionName).toBe(name === '<global>' || name === null ? undefined : name);
      }
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('a map without functions leads to places', () => {
  const index = openIndex(compileHermes(mapText({ sources: ['a.js'], mappings: 'AAAA,IACA' })));
  expect(index.lookUp(0, 5)).toMatchObject({ source: 'a.js', line: 2, functionName: undefined });
});

describe('functions that are none are an error', () => {
  const withFunctions = (list: unknown) => mapText({ sources: ['a.js'], mappings: 'AAAA', x_facebook_sources: list });
  test.each([
    ['an object', {}, 'x_facebook_sources is not a list'],
    ['no names', [[{ mappings: 'AAA' }]], 'a function map has no names or mappings'],
    ['no mappings', [[{ names: [] }]], 'a function map has no names or mappings'],
    ['no digits', [[{ names: [], mappings: '!' }]], 'mappings hold what is not a number'],
    ['below zero', [[{ names: [], mappings: 'ADA' }]], 'a number of mappings is out of range'],
    ['too many fields', [[{ names: [], mappings: 'AAAA' }]], 'a function map has a place of more than 3 fields'],
    [
      'millions of places',
      [[{ names: [], mappings: 'A,'.repeat(2_000_001) }]],
      'more than 2000000 places of functions',
    ],
  ])('%s', (_name, list, reason) => {
    expect(() => compileHermes(withFunctions(list))).toThrow(new SymbolDataError('map', reason));
  });

  test('a source without functions, and names that are none, only lack names', () => {
    for (const list of [null, [], [null], [[]], [[null]], [[{ names: [7], mappings: 'AAA' }]]])
      expect(openIndex(compileHermes(withFunctions(list))).lookUp(0, 0)?.functionName).toBe(undefined);
  });
});
