import { expect, test } from '@jest/globals';
import { compileSymbols } from '../symbols/compile-symbols.ts';
import { openSymbols } from '../symbols/open-symbols.ts';
import { containerOf } from '../testing/containers.ts';
import { mapText } from '../testing/map-texts.ts';
import { rawFrame } from '../testing/raw-frames.ts';
import type { JsonObject } from './raw-frame.ts';
import { resolveFrame } from './resolve-frame.ts';

const map = mapText({
  sources: ['App.tsx'],
  mappings: 'AAAA,UACE',
  x_facebook_sources: [[{ names: ['<global>', 'onPress'], mappings: 'AAA;CCC' }]],
});
const symbols = openSymbols(compileSymbols(containerOf(Buffer.from(map), { type: 3 })) as Buffer);
const resolve = (members: JsonObject) =>
  resolveFrame(rawFrame({ platform: 'hermes', function: 'b', filename: 'main.jsbundle', ...members }), () => symbols)[0]
    ?.frame;

test('an address is a column from 0, in the first line unless another is sent', () => {
  expect(resolve({ chunk_id: 'c', colno: 10 })).toMatchObject({
    resolved: true,
    resolved_name: 'onPress',
    source: 'App.tsx',
    line: 2,
    column: 2,
    lang: 'javascript',
  });
  expect(resolve({ chunk_id: 'c', lineno: 1, colno: 9 })).toMatchObject({ line: 1, column: 0 });
  expect(resolve({ chunk_id: 'c', lineno: 2, colno: 9 })).toMatchObject({
    resolved: false,
    resolve_failure: 'token not found at b:2:9',
  });
});

test('without a column or a chunk id a frame is kept as it came', () => {
  expect(resolve({ chunk_id: 'c' })).toMatchObject({ resolved: true, resolved_name: 'b', source: 'main.jsbundle' });
  expect(resolve({ colno: 9 })).toMatchObject({ resolved: true, resolve_failure: 'no source url or chunk id' });
});
