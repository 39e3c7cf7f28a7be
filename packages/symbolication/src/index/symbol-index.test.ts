import { describe, expect, test } from '@jest/globals';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import fc from 'fast-check';
import { readBundle } from '../testing/bundles.ts';
import { mappingsOf, mapText, type TestSegment } from '../testing/map-texts.ts';
import { SymbolDataError } from '../symbol-data-error.ts';
import { compileIndex } from './compile-index.ts';
import { openIndex } from './symbol-index.ts';

const { bundle, map } = readBundle('esbuild');
const compiled = compileIndex(bundle, map);
const isNoIndex = new SymbolDataError('index', 'these bytes are no whole index of this version');

test('for generated maps, an index leads to where trace-mapping leads, everywhere', () => {
  const small = fc.nat(20);
  const segment: fc.Arbitrary<TestSegment> = fc.oneof(
    fc.tuple(small),
    fc.tuple(small, fc.nat(1), fc.nat(9), small),
    fc.tuple(small, fc.nat(1), fc.nat(9), small, fc.constant(0)),
  );
  const property = fc.property(fc.array(fc.array(segment, { maxLength: 6 }), { maxLength: 4 }), (lines) => {
    const text = mapText({ sources: ['a.js', 'b.js'], names: ['n'], mappings: mappingsOf(lines) });
    const index = openIndex(compileIndex('', text));
    const oracle = new TraceMap(text);
    const places = Array.from({ length: 5 * 22 }, (_, at) => ({ line: Math.floor(at / 22), column: at % 22 }));
    const found = places.map(({ line, column }) => {
      const place = index.lookUp(line, column);
      return [place?.source ?? null, place?.line ?? null, place?.column ?? null];
    });
    const expected = places.map(({ line, column }) => {
      const place = originalPositionFor(oracle, { line: line + 1, column });
      return [place.source, place.line, place.column];
    });
    expect(found).toEqual(expected);
  });
  fc.assert(property, { numRuns: 300 });
});

test.each([
  [-1, 0],
  [0, -1],
  [2 ** 32, 0],
  [0.5, 0],
  [NaN, NaN],
])('line %d, column %d, which are none, lead nowhere', (line, column) => {
  expect(openIndex(compiled).lookUp(line, column)).toBe(null);
});

describe('texts of sources', () => {
  const contents = ['one\r\ntwo 😀\rthree\u2028', null, '', 'x'.repeat(50), 'ascii\r\n\rend\r', '\nnext'];
  const text = mapText({ sources: ['a', 'b', 'c', 'd', 'e', 'f'], sourcesContent: contents });
  const index = openIndex(compileIndex('', text));

  test.each([
    [0, 1, 9, ['one', 'two 😀', 'three', '']],
    [0, 1, 1, ['one']],
    [0, 2, 3, ['two 😀', 'three']],
    [0, 5, 9, []],
    [1, 1, 9, []],
    [2, 1, 9, ['']],
    [3, 1, 1, ['x'.repeat(20)]],
    [4, 1, 9, ['ascii', '', 'end', '']],
    [5, 1, 9, ['', 'next']],
    [6, 1, 9, []],
    [2 ** 32 - 1, 1, 9, []],
  ])('lines of source %d from %d to %d', (source, first, last, lines) => {
    expect(index.linesOf(source, first, last, 20)).toEqual(lines);
  });
});

test('texts of more lines than a script may have are an error', () => {
  const text = mapText({ sources: ['a', 'b'], sourcesContent: ['\n'.repeat(6_000_000), '\n'.repeat(6_000_000)] });
  expect(() => compileIndex('', text)).toThrow(new SymbolDataError('map', 'its texts have more than 10000000 lines'));
});

test('an index may lie anywhere in memory', () => {
  const shifted = new Uint8Array(compiled.length + 1).subarray(1);
  shifted.set(compiled);
  expect(openIndex(shifted).lookUp(0, 52)).toEqual(openIndex(compiled).lookUp(0, 52));
});

describe('other bytes are an error', () => {
  test('nothing, and something else', () => {
    expect(() => openIndex(Buffer.alloc(0))).toThrow(isNoIndex);
    expect(() => openIndex(Buffer.from(map))).toThrow(isNoIndex);
  });

  test('the first part of an index, wherever it is cut', () => {
    for (let length = 0; length < compiled.length; length += 7)
      expect(() => openIndex(compiled.subarray(0, length))).toThrow(isNoIndex);
  });

  test('an index of another version, and one with another number of segments', () => {
    for (const place of [8, 12, 16, 20, 44]) {
      const changed = Buffer.from(compiled);
      changed.writeUInt32LE(changed.readUInt32LE(place) + 1, place);
      expect(() => openIndex(changed)).toThrow(isNoIndex);
    }
  });
});

test('damaged numbers lead to wrong places or none, never to an error', () => {
  const property = fc.property(fc.nat(compiled.length - 49), fc.nat(255), fc.nat(1500), (place, value, column) => {
    const damaged = Buffer.from(compiled);
    damaged[48 + place] = value;
    const found = openIndex(damaged).lookUp(0, column);
    openIndex(damaged).linesOf(found?.sourceIndex ?? 0, found?.line ?? 1, (found?.line ?? 1) + 5, 100);
    expect(found?.line ?? 1).toBeGreaterThan(0);
  });
  fc.assert(property, { numRuns: 1_000 });
});

test('a segment takes at most 32 bytes, names and lines of texts included', () => {
  const segments = Array.from({ length: 50_000 }, (_, at): TestSegment => [
    at * 5,
    0,
    Math.floor(at / 5),
    at % 5,
    at % 50,
  ]);
  const names = Array.from({ length: 50 }, (_, at) => `name${at}`);
  const content = 'a line\n'.repeat(10_000);
  const text = mapText({ sources: ['a.js'], sourcesContent: [content], names, mappings: mappingsOf([segments]) });
  const index = compileIndex('function a(){}'.repeat(2_000), text);
  expect((index.length - content.length) / segments.length).toBeLessThan(32);
});
