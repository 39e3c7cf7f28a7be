import { describe, expect, test } from '@jest/globals';
import { failures } from '../frames/failures.ts';
import type { FindSymbols } from '../frames/resolve-frame.ts';
import { compileIndex } from '../index/compile-index.ts';
import { openIndex } from '../index/symbol-index.ts';
import { compileMapping } from '../proguard/compile-mapping.ts';
import { openMapping } from '../proguard/mapping-index.ts';
import { readBundle } from '../testing/bundles.ts';
import { readExceptions } from './read-exceptions.ts';
import { resolveAgain } from './resolve-again.ts';
import { resolveExceptions } from './resolve-exceptions.ts';

const { bundle, map } = readBundle('rollup');
const script = openIndex(compileIndex(bundle, map));
const missing: FindSymbols = ({ chunkId = '' }) => failures.noMapForChunk(chunkId);
const list = [
  {
    type: 'RangeError',
    value: 'a',
    thread_id: 4,
    stacktrace: {
      frames: [1032, 66].map((colno) => ({ platform: 'web:javascript', chunk_id: 'c', lineno: 1, colno })),
    },
  },
];

/** An event as it was stored while its symbols were missing, and its frames as they were sent. */
function stored(sent: unknown, find = missing) {
  const { exceptions, records } = resolveExceptions(readExceptions(sent, 'web', '1').exceptions, find);
  const raws = new Map(records.map(({ contents }) => [contents.raw_id, contents.junk_drawer.raw_frame]));
  return { exceptions, rawFrameOf: (rawId: string) => raws.get(rawId) };
}

describe('symbols that come late', () => {
  test('give what they would have given at once', () => {
    const { exceptions, rawFrameOf } = stored(list);
    const atOnce = resolveExceptions(readExceptions(list, 'web', '1').exceptions, () => script);
    expect(exceptions).not.toEqual(atOnce.exceptions);
    expect(resolveAgain(exceptions, rawFrameOf, () => script)).toEqual(atOnce);
  });

  test('leave frames alone that were resolved, and those of which nothing is known any more', () => {
    const { exceptions, rawFrameOf } = stored(list);
    const once = resolveAgain(exceptions, rawFrameOf, () => script).exceptions;
    const twice = resolveAgain(once, rawFrameOf, missing);
    expect([twice.exceptions, twice.records]).toEqual([once, []]);
    expect(
      resolveAgain(
        exceptions,
        () => undefined,
        () => script,
      ).exceptions,
    ).toEqual(exceptions);
  });

  test('which say nothing new leave the bytes of an event as they were stored', () => {
    const { exceptions, rawFrameOf } = stored([{ value: 'a', module: 'm', extra: 1, ...list[0], mechanism: {} }]);
    const text = JSON.stringify(exceptions);
    const again = resolveAgain(JSON.parse(text) as typeof exceptions, rawFrameOf, missing);
    expect(JSON.stringify(again.exceptions)).toBe(text);
  });

  test('give a frame its own variables and marks, also when another event has stored its record', () => {
    const own = { code_variables: { n: 1 }, in_app: false, synthetic: true };
    const ofPlatform = (members: object) => [
      {
        type: 'A',
        stacktrace: { frames: [{ platform: 'node:javascript', chunk_id: 'c', lineno: 1, colno: 66, ...members }] },
      },
    ];
    const pairs = [
      [own, {}],
      [{}, own],
      [own, { ...own, code_variables: { n: 2 } }],
    ] as const;
    for (const [members, others] of pairs) {
      const { exceptions } = stored(ofPlatform(members));
      const { rawFrameOf } = stored(ofPlatform(others));
      const atOnce = resolveExceptions(readExceptions(ofPlatform(members), 'node', '1').exceptions, () => script);
      expect(resolveAgain(exceptions, rawFrameOf, () => script).exceptions).toEqual(atOnce.exceptions);
    }
  });

  test('resolve a frame with lines of its own that was stored when they did not count for its id', () => {
    const frame = {
      platform: 'node:javascript',
      chunk_id: 'c',
      lineno: 1,
      colno: 66,
      pre_context: ['a'],
      context_line: 'b',
    };
    const sent = [{ type: 'A', stacktrace: { frames: [frame] } }];
    const { exceptions } = stored(sent);
    const [failed] = exceptions[0]?.stacktrace?.frames ?? [];
    Object.assign(failed as object, { raw_id: 'former/0' });
    const atOnce = resolveExceptions(readExceptions(sent, 'node', '1').exceptions, () => script);
    const again = resolveAgain(
      exceptions,
      (rawId) => (rawId === 'former/0' ? frame : undefined),
      () => script,
    );
    expect(again).toEqual(atOnce);
  });

  test('count a frame to the application by its source when its file does not tell', () => {
    const frame = {
      platform: 'node:javascript',
      filename: '/a/node_modules/b.js',
      chunk_id: 'c',
      lineno: 1,
      colno: 66,
    };
    const { exceptions, rawFrameOf } = stored([{ type: 'A', stacktrace: { frames: [{ ...frame, in_app: true }] } }]);
    expect(exceptions).toMatchObject([{ stacktrace: { frames: [{ in_app: false }] } }]);
    expect(resolveAgain(exceptions, rawFrameOf, () => script).exceptions).toMatchObject([
      { stacktrace: { frames: [{ in_app: true, source: 'cart.js' }] } },
    ]);
  });

  test('are asked for frames that passed for ones that are not minified, too', () => {
    const frame = { platform: 'web:javascript', filename: 'https://shop.example/b.js', lineno: 1, colno: 66 };
    const sent = [{ type: 'A', stacktrace: { frames: [frame] } }];
    const { exceptions, rawFrameOf } = stored(sent, ({ url = '' }) => failures.noMapForUrl(url));
    expect(exceptions).toMatchObject([{ stacktrace: { frames: [{ resolved: true }] } }]);
    expect(resolveAgain(exceptions, rawFrameOf, () => script).exceptions).toMatchObject([
      { stacktrace: { frames: [{ resolved_name: 'add', source: 'cart.js' }] } },
    ]);
  });

  test('make several frames of one where methods were inlined, and give the exception its type', () => {
    const mapping = openMapping(
      compileMapping(
        'shop.Cart -> a:\n  4:4:int shop.Tax.of():5 -> c\n  4:4:void add():14 -> c\nshop.BadItem -> d.e:\nBare -> d.f:',
      ),
    );
    const frames = [{ platform: 'java', map_id: 'm', module: 'a', function: 'c', lineno: 4 }];
    const ofType = (type: string) => ({ type, module: 'd', stacktrace: { frames } });
    const { exceptions, rawFrameOf } = stored([ofType('e'), ofType('f')]);
    expect(exceptions[0]).toMatchObject({ type: 'e', module: 'd' });
    const again = resolveAgain(exceptions, rawFrameOf, () => mapping).exceptions;
    expect([again[1]?.type, again[1]?.module]).toEqual(['Bare', undefined]);
    expect(again.slice(0, 1)).toMatchObject([
      { type: 'BadItem', module: 'shop', stacktrace: { frames: [{ resolved_name: 'add' }, { resolved_name: 'of' }] } },
    ]);
  });

  test('make no more frames than an event may have', () => {
    const mapping = openMapping(compileMapping(`A -> a:\n${'  1:1:void f():1 -> b\n'.repeat(50)}`));
    const frame = (lineno: number) => ({ platform: 'java', map_id: 'm', module: 'a', function: 'b', lineno });
    const frames = Array.from({ length: 40 }, () => frame(1));
    const { exceptions, rawFrameOf } = stored(
      Array.from({ length: 50 }, () => ({ type: 'A', stacktrace: { frames } })),
    );
    const again = resolveAgain(exceptions, rawFrameOf, () => mapping);
    const counts = again.exceptions.map(({ stacktrace }) => stacktrace?.frames.length);
    expect(counts).toEqual([...Array.from({ length: 8 }, () => 250), ...Array.from({ length: 42 }, () => 10)]);
    expect(again.records).toHaveLength(50);
  });
});
