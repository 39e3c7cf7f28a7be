import { describe, expect, test } from '@jest/globals';
import { compileIndex } from '../index/compile-index.ts';
import { openIndex } from '../index/symbol-index.ts';
import { bundlers, readBundle } from '../testing/bundles.ts';
import { framesOf } from '../testing/frames-of-bundle.ts';
import { mapText } from '../testing/map-texts.ts';
import { rawFrame, webFrame } from '../testing/raw-frames.ts';
import { failures } from './failures.ts';
import { frameHash } from './raw-id.ts';
import type { JsonObject, RawFrame } from './raw-frame.ts';
import { type FindSymbols, resolveFrame } from './resolve-frame.ts';
import type { FrameOutcome } from './resolved-frame.ts';

const recorded = readBundle('esbuild');
const index = openIndex(compileIndex(recorded.bundle, recorded.map));
const resolved = (raw: RawFrame, find: FindSymbols) => resolveFrame(raw, find)[0] as FrameOutcome;
const found: FindSymbols = () => index;
const notAsked: FindSymbols = () => {
  throw new Error('no symbols are needed');
};
const missing: FindSymbols = ({ chunkId, url = '' }) =>
  chunkId === undefined ? failures.noMapForUrl(url) : failures.noMapForChunk(chunkId);

describe('a frame of a web page', () => {
  test('with a map: function, file, line and column of the source, and the lines around', () => {
    const raw = webFrame();
    const { frame, record } = resolved(raw, found);
    expect(frame).toEqual({
      raw_id: `${frameHash(raw)}/0`,
      mangled_name: 'l',
      line: 6,
      column: 7,
      source: 'scenarios.js',
      in_app: true,
      resolved_name: 'addBadItem',
      lang: 'javascript',
      resolved: true,
      synthetic: false,
      suspicious: false,
    });
    expect(record?.contents).toEqual({ ...frame, junk_drawer: { raw_frame: raw.sent } });
    expect([record?.hash, record?.part]).toEqual([frameHash(raw), 0]);
    expect(record?.context?.line).toEqual({ number: 6, line: "  cart.add({ name: 'refund', price: -1 });" });
    expect(record?.context?.before).toHaveLength(5);
  });

  test.each([0, 1])('at column %d, which are both the first', (colno) => {
    const first = openIndex(compileIndex('f()', mapText({ sources: ['a.js'], mappings: 'AAAA,CAAC' })));
    expect(resolved(webFrame({ colno }), () => first).frame).toMatchObject({ source: 'a.js', line: 1, column: 0 });
  });

  test.each([
    ['a line beyond the map', { lineno: 99 }, 'token not found at l:99:1045'],
    ['line 0', { lineno: 0 }, 'token not found at l:0:1045'],
  ])('%s is not found', (_name, members, failure) => {
    const { frame, record } = resolved(webFrame(members), found);
    expect(frame).toMatchObject({
      resolved: false,
      resolve_failure: failure,
      column: 1045,
      source: '/assets/bundle.js',
    });
    expect([frame.resolved_name, record?.context]).toEqual([undefined, null]);
  });

  test('without a map: place as sent, not resolved', () => {
    const { frame } = resolved(webFrame(), missing);
    expect(frame).toMatchObject({
      resolved: false,
      resolve_failure: 'no map found for url: https://shop.example/assets/bundle.js',
      mangled_name: 'l',
      line: 1,
      column: 1045,
      source: '/assets/bundle.js',
      in_app: true,
    });
    expect(frame.resolved_name).toBe(undefined);
  });

  test('without a map, but far left: the script is taken for one that is not minified', () => {
    expect(resolved(webFrame({ colno: 300 }), missing).frame).toMatchObject({
      resolved: true,
      resolved_name: 'l',
      resolve_failure: 'no map found for url: https://shop.example/assets/bundle.js',
    });
    expect(resolved(webFrame({ colno: 301 }), missing).frame.resolved).toBe(false);
  });

  test.each([
    ['a chunk id without a map', { chunk_id: 'c', colno: 3 }, missing, 'no map uploaded for chunk id: c'],
    ['symbols that came too late', { colno: 3 }, () => failures.late, 'symbols were not read in time'],
    [
      'a broken map',
      { colno: 3 },
      () => failures.invalidData('map invalid: it is not JSON'),
      'map invalid: it is not JSON',
    ],
  ] as const)('is not resolved, whatever its column: %s', (_name, members, find, failure) => {
    const { frame } = resolved(webFrame(members), find);
    expect([frame.resolved, frame.resolve_failure]).toEqual([false, failure]);
  });

  test('without line or column it is not minified, and has no place', () => {
    const { frame } = resolved(webFrame({ colno: undefined, filename: '<anonymous>' }), notAsked);
    expect(frame).toMatchObject({ resolved: true, resolved_name: 'l', source: '<anonymous>' });
    expect([frame.line, frame.resolve_failure]).toEqual([undefined, undefined]);
  });

  test.each([
    [undefined, 'no source url or chunk id'],
    ['bundle.js', 'source url invalid: bundle.js'],
  ])('with file %s it is kept as it came, with the reason', (filename, failure) => {
    expect(resolved(webFrame({ filename }), notAsked).frame).toMatchObject({
      resolved: true,
      resolved_name: 'l',
      resolve_failure: failure,
      line: 1,
      column: 1045,
    });
  });
});

test.each(bundlers)('frames of a bundle of %s have lines around them', (bundler) => {
  const bundle = readBundle(bundler);
  const symbols = openIndex(compileIndex(bundle.bundle, bundle.map));
  for (const { frame } of framesOf(bundle)) {
    const raw = webFrame({ function: frame.function, lineno: frame.line, colno: frame.column });
    const { frame: ours, record } = resolved(raw, () => symbols);
    expect(ours.line).toBe(record?.context?.line.number);
    expect(record?.context?.line.line.trim()).not.toBe('');
  }
});

describe('a frame of another platform passes', () => {
  test('Python, with its own lines', () => {
    const raw = rawFrame({
      platform: 'python',
      function: 'total',
      filename: 'shop/cart.py',
      abs_path: '/app/shop/cart.py',
      module: 'shop.cart',
      lineno: 12,
      in_app: true,
      context_line: '    return sum(items)',
      code_variables: { items: '[]' },
    });
    const { frame, record } = resolved(raw, notAsked);
    expect(frame).toEqual({
      raw_id: `${frameHash(raw)}/0`,
      mangled_name: 'total',
      module: 'shop.cart',
      line: 12,
      source: 'shop/cart.py',
      in_app: true,
      resolved_name: 'total',
      lang: 'python',
      resolved: true,
      synthetic: false,
      suspicious: false,
      code_variables: { items: '[]' },
    });
    expect(record?.context?.line).toEqual({ number: 12, line: '    return sum(items)' });
  });

  test('Node without a chunk id', () => {
    const frame = webFrame({ platform: 'node:javascript', filename: '/app/dist/a.js' });
    expect(resolved(frame, notAsked).frame).toMatchObject({
      source: '/app/dist/a.js',
      column: 1045,
      lang: 'javascript',
    });
  });

  test('a platform that nobody knows, with a language of its own', () => {
    const { frame } = resolved(rawFrame({ platform: 'custom', lang: 'cobol', function: 'MAIN' }), notAsked);
    expect(frame).toMatchObject({ lang: 'cobol', resolved_name: 'MAIN', resolved: true });
  });
});

test.each([
  ['apple', { instruction_addr: '0x1' }],
  ['native', { instruction_addr: '0x1' }],
  ['rust', { instruction_addr: '0x1' }],
])('symbols of %s are not read yet, and its frames say so', (platform, members) => {
  expect(resolved(rawFrame({ platform, function: 'a', ...members }), notAsked).frame).toMatchObject({
    resolved: false,
    resolve_failure: 'symbols of this kind are kept but not read yet',
  });
});

describe('a frame that its client resolved', () => {
  const swift = {
    platform: 'apple',
    function: 'Cart.total()',
    instruction_addr: '0x1',
    lineno: 3,
    client_resolved: true,
  };

  test('is kept', () => {
    expect(resolved(rawFrame(swift), notAsked).frame).toMatchObject({
      resolved: true,
      resolved_name: 'Cart.total()',
    });
  });

  test('keeps its id, and then makes no record, which would replace that of another', () => {
    const { frame, record } = resolved(rawFrame({ ...swift, raw_id: 'abc/1' }), notAsked);
    expect([frame.raw_id, record]).toEqual(['abc/1', null]);
  });

  test('is looked up all the same when it is of a browser', () => {
    expect(resolved(webFrame({ client_resolved: true, raw_id: 'abc/1' }), found)).toMatchObject({
      frame: { resolved_name: 'addBadItem', raw_id: expect.stringMatching(/^[\da-f]{128}\/0$/) },
    });
  });
});

describe('a record stands for all frames of its id', () => {
  const python = { platform: 'python', function: 'total', filename: 'cart.py', lineno: 12, context_line: 'return a' };
  const idOf = (members: JsonObject) => resolved(rawFrame({ ...python, ...members }), notAsked).frame.raw_id;

  test('so that the lines around it are in the id, line by line', () => {
    const ids = [
      {},
      { pre_context: ['a = 1'] },
      { pre_context: ['a = 2'] },
      { pre_context: ['a', 'b'] },
      { pre_context: ['a\nb'] },
      { post_context: ['a = 1'] },
      { pre_context: ['a'], post_context: ['b'] },
    ].map(idOf);
    expect(new Set(ids).size).toBe(ids.length);
    expect(idOf({ pre_context: [], post_context: 'none' })).toBe(ids[0]);
  });

  test('and what its client resolved is not what we look up', () => {
    expect(idOf({ client_resolved: true })).not.toBe(idOf({}));
  });

  test('without values of variables, which the frame of the event has', () => {
    const { frame, record } = resolved(rawFrame({ ...python, code_variables: { card: '4711' } }), notAsked);
    expect(frame.code_variables).toEqual({ card: '4711' });
    expect(JSON.stringify(record)).not.toContain('code_variables');
    expect(record?.contents.junk_drawer.raw_frame).toEqual(python);
    expect(idOf({ code_variables: { card: '4711' } })).toBe(idOf({}));
  });
});

test('an id as it was when lines around a frame did not count', () => {
  expect(frameHash(webFrame())).toBe(
    'd324e30655ff3adc689d4cd860f70f6da583cfb73764d0b8b57fafa643c37d92d80d80de7f082cc3a1941f02ecf564eb85a3fa167a7e1d95230139fd3c5471bf',
  );
});

test('ids: chunks, columns and names are told apart', () => {
  const frames = [
    webFrame(),
    webFrame({ chunk_id: 'a' }),
    webFrame({ chunk_id: 'b' }),
    webFrame({ function: 't', colno: 12_345 }),
    webFrame({ function: 't1', colno: 2_345 }),
    webFrame({ filename: undefined }),
    webFrame({ filename: 'null' }),
  ];
  expect(new Set(frames.map(frameHash)).size).toBe(frames.length);
  expect(frameHash(webFrame())).toBe(frameHash(webFrame({ in_app: false })));
});
