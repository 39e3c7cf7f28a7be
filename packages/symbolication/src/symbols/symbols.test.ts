import { expect, test } from '@jest/globals';
import { SymbolIndex } from '../index/symbol-index.ts';
import { MappingIndex } from '../proguard/mapping-index.ts';
import { SymbolDataError } from '../symbol-data-error.ts';
import { containerOf, scriptAndMap } from '../testing/containers.ts';
import { mapText } from '../testing/map-texts.ts';
import { compileSymbols } from './compile-symbols.ts';
import { openSymbols } from './open-symbols.ts';

test.each([
  ['script and map', 2, scriptAndMap('f()', mapText({})), SymbolIndex],
  ['a Hermes map', 3, Buffer.from(mapText({})), SymbolIndex],
  ['a ProGuard mapping', 4, Buffer.from('A -> a:'), MappingIndex],
])('%s: what is compiled can be opened', (_name, type, payload, kind) => {
  const opened = openSymbols(compileSymbols(containerOf(payload, { type })) as Buffer);
  expect(opened).toBeInstanceOf(kind);
  expect(opened.byteLength).toBeGreaterThan(0);
});

test.each([5, 6])('type %d is kept, and not read yet', (type) => {
  expect(compileSymbols(containerOf(Buffer.of(1, 2, 3), { type }))).toBe(null);
});

test.each([Buffer.alloc(0), Buffer.from('MRSYMIDX'), Buffer.from('MRMAPIDX0'), Buffer.from('something else')])(
  'other bytes do not open: %s',
  (bytes) => {
    expect(() => openSymbols(bytes)).toThrow(SymbolDataError);
  },
);
