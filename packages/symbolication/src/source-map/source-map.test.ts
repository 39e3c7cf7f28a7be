import { describe, expect, test } from '@jest/globals';
import { SymbolDataError } from '../symbol-data-error.ts';
import { mapText } from '../testing/map-texts.ts';
import { readSourceMap } from './source-map.ts';

const error = (reason: string): SymbolDataError => new SymbolDataError('map', reason);
const at = (line: unknown, column: unknown, map: unknown = JSON.parse(mapText({}))) => ({
  offset: { line, column },
  map,
});
const indexMap = (...sections: unknown[]): string => JSON.stringify({ version: 3, sections });

test('a flat map: sources with their root, contents, names; more contents than sources do not count', () => {
  const text = mapText({
    sourceRoot: 'src',
    sources: ['a.js', null],
    sourcesContent: ['a', null, 'c'],
    names: ['n'],
    mappings: 'AAAA',
  });
  const piece = { start: { line: 0, column: 0 }, end: null, mappings: 'AAAA' };
  expect(readSourceMap(text)).toEqual({
    sources: ['src/a.js', ''],
    contents: ['a', null],
    names: ['n'],
    pieces: [{ ...piece, firstSource: 0, sourceCount: 2, firstName: 0, nameCount: 1 }],
  });
});

test('names of sources are cut at 2,048 characters, with their root', () => {
  const { sources } = readSourceMap(
    mapText({ sourceRoot: 'r'.repeat(2_000), sources: ['x'.repeat(47), 'x'.repeat(48)] }),
  );
  expect(sources.map((source) => [source.length, source.at(-1)])).toEqual([
    [2_048, 'x'],
    [2_049, '…'],
  ]);
});

test('an index map: each section has its own sources and names, and ends where the next begins', () => {
  const first = JSON.parse(mapText({ sources: ['a.js'], names: ['n', 'm'] })) as unknown;
  const { pieces, sources } = readSourceMap(indexMap(at(0, 5, first), at(2, 0, first)));
  expect(sources).toEqual(['a.js', 'a.js']);
  expect(pieces.map(({ start, end, firstSource, firstName }) => [start, end, firstSource, firstName])).toEqual([
    [{ line: 0, column: 5 }, { line: 2, column: 0 }, 0, 0],
    [{ line: 2, column: 0 }, null, 1, 2],
  ]);
});

test('the first line against inclusion as a script does not count', () => {
  expect(readSourceMap(`)]}'\n${mapText({ sources: ['a.js'] })}`).sources).toEqual(['a.js']);
});

describe('a map that is none is an error', () => {
  test.each([
    ['no JSON', '{"version":3', 'it is not JSON'],
    ['a list', '[]', 'the map is not an object'],
    ['another version', mapText({ version: '3' }), 'its version is not 3'],
    ['no mappings', mapText({ mappings: [] }), 'mappings is not a text'],
    ['no sources', mapText({ sources: undefined }), 'sources is not a list'],
    ['sources that are numbers', mapText({ sources: [1] }), 'sources holds what is not a text'],
    ['names that are an object', mapText({ names: {} }), 'names is not a list'],
    ['contents that are lists', mapText({ sourcesContent: [[]] }), 'sourcesContent holds what is not a text'],
    ['a root that is a number', mapText({ sourceRoot: 1 }), 'sourceRoot is not a text'],
    ['sections that are an object', '{"version":3,"sections":{}}', 'sections is not a list'],
    ['a section that is null', indexMap(null), 'a section is not an object'],
    ['a section without a place', indexMap({ map: {} }), 'the offset of a section is not an object'],
    ['a place below zero', indexMap(at(-1, 0)), 'the offset of a section is not a line and a column'],
    ['a place that is no number', indexMap(at(0, '1')), 'the offset of a section is not a line and a column'],
    ['a section far away', indexMap(at(2 ** 31 - 1, 0)), 'more than 10000000 lines'],
    [
      'a section by its URL',
      indexMap({ offset: { line: 0, column: 0 }, url: 'a' }),
      'the map of a section is not an object',
    ],
    ['sections inside a section', indexMap(at(0, 0, { version: 3, sections: [] })), 'a section has sections'],
    ['sections backwards', indexMap(at(1, 0), at(0, 9)), 'sections are not in order'],
    ['two sections in one place', indexMap(at(1, 0), at(1, 0)), 'sections are not in order'],
    ['deep nesting', `{"version":3,"sections":${'['.repeat(900_000)}`, 'it is not JSON'],
    ['millions of values', `{"version":3,"names":[${'"",'.repeat(2_000_000)}""]}`, 'more than 1000000 values'],
  ])('%s', (_name, text, reason) => {
    expect(() => readSourceMap(text)).toThrow(error(reason));
  });
});
