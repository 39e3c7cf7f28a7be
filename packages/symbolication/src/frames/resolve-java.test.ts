import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from './raw-frame.ts';
import { containerOf } from '../testing/containers.ts';
import { rawFrame } from '../testing/raw-frames.ts';
import { compileSymbols } from '../symbols/compile-symbols.ts';
import { openSymbols } from '../symbols/open-symbols.ts';
import { failures } from './failures.ts';
import { type FindSymbols, resolveFrame } from './resolve-frame.ts';

const mapping = [
  'com.shop.app.Cart -> a.b:',
  '# {"id":"sourceFile","fileName":"Cart.kt"}',
  '    4:4:int com.shop.app.Tax$Rates.of(int):5:5 -> c',
  '    4:4:void add(com.shop.app.Item):14 -> c',
  'com.shop.app.R8$Lambda -> a.d:',
  '# {"id":"sourceFile","fileName":"R8$$SyntheticClass"}',
  '    1:1:void run():0:0 -> run',
  "    # {'id':'com.android.tools.r8.synthesized'}",
].join('\n');
const symbols = openSymbols(compileSymbols(containerOf(Buffer.from(mapping), { type: 4 })) as Buffer);
const found: FindSymbols = () => symbols;
const frameOf = (members: JsonObject) =>
  rawFrame({ platform: 'java', map_id: 'com.shop.app@3.0+3', module: 'a.b', function: 'c', lineno: 4, ...members });

describe('a frame of obfuscated Java', () => {
  test('with inlined methods: one frame for each, the outermost first, with ids of their own', () => {
    const raw = frameOf({ filename: 'SourceFile', in_app: false });
    const outcomes = resolveFrame(raw, found);
    expect(outcomes.map(({ frame }) => frame)).toMatchObject([
      { module: 'com.shop.app.Cart', resolved_name: 'add', source: 'Cart.kt', line: 14, mangled_name: 'c' },
      { module: 'com.shop.app.Tax$Rates', resolved_name: 'of', source: 'Tax.java', line: 5, mangled_name: 'c' },
    ]);
    expect(outcomes.map(({ record }) => [record?.part, record?.reference])).toEqual([
      [0, { chunkId: 'com.shop.app@3.0+3' }],
      [1, { chunkId: 'com.shop.app@3.0+3' }],
    ]);
    expect(outcomes.map(({ frame }) => frame.raw_id)).toEqual(
      [0, 1].map((part) => `${outcomes[0]?.record?.hash}/${part}`),
    );
  });

  test('is in the application when its package is, although the SDK did not know it', () => {
    const inApp = (members: JsonObject) => resolveFrame(frameOf(members), found).map(({ frame }) => frame.in_app);
    expect(inApp({ in_app: false })).toEqual([true, true]);
    expect(inApp({ in_app: false, map_id: 'com.shop@1' })).toEqual([true, true]);
    expect(inApp({ in_app: false, map_id: 'com.sho@1' })).toEqual([false, false]);
    expect(inApp({ in_app: false, map_id: 'com.shop.app' })).toEqual([false, false]);
  });

  test('of a class that the compiler made says so', () => {
    expect(resolveFrame(frameOf({ module: 'a.d', function: 'run', lineno: 1 }), found)).toMatchObject([
      { frame: { synthetic: true, source: 'R8.java', resolved_name: 'run' } },
    ]);
  });

  test('of a class that was not renamed is kept', () => {
    const frame = { module: 'android.view.View', function: 'performClick', lineno: 7_659, filename: 'View.java' };
    expect(resolveFrame(frameOf(frame), found)).toMatchObject([
      {
        frame: {
          resolved: true,
          resolved_name: 'performClick',
          line: 7_659,
          source: 'View.java',
          module: 'android.view.View',
        },
      },
    ]);
  });

  test('of a method that its class does not have has the class, and says why it is not resolved', () => {
    expect(resolveFrame(frameOf({ function: 'zz' }), found)).toMatchObject([
      {
        frame: {
          resolved: false,
          mangled_name: 'zz',
          module: 'com.shop.app.Cart',
          resolve_failure: 'method not found: a.b.zz:4',
        },
      },
    ]);
  });

  test('without its mapping is not resolved', () => {
    expect(resolveFrame(frameOf({}), () => failures.noMapForChunk('com.shop.app@3.0+3'))).toMatchObject([
      { frame: { resolved: false, resolve_failure: 'no map uploaded for chunk id: com.shop.app@3.0+3' } },
    ]);
  });

  test('without the id of a mapping is not obfuscated', () => {
    expect(resolveFrame(frameOf({ map_id: undefined }), found)).toMatchObject([
      { frame: { resolved: true, resolved_name: 'c', module: 'a.b' }, record: { reference: null } },
    ]);
  });
});

test('symbols of another kind do not resolve a frame', () => {
  const failure = 'symbols of this chunk id are of another kind';
  const script = rawFrame({ platform: 'web:javascript', chunk_id: 'c', function: 'f', lineno: 1, colno: 1 });
  expect(resolveFrame(script, found)).toMatchObject([{ frame: { resolved: false, resolve_failure: failure } }]);
});
