import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SymbolDataError } from '../symbol-data-error.ts';
import { compileMapping } from './compile-mapping.ts';
import { type MappingIndex, openMapping } from './mapping-index.ts';

const mappingOf = (...lines: string[]): MappingIndex => openMapping(compileMapping(lines.join('\n')));
/** `class.method:line`, innermost first. */
const placesOf = (mapping: MappingIndex, className: string, method: string, line?: number): string[] =>
  mapping.lookUp(className, method, line).map((one) => `${one.className}.${one.name}:${one.line}`);

describe('examples of R8 (doc/retrace.md)', () => {
  test('source file, below the class that it belongs to', () => {
    const mapping = mappingOf(
      'some.package.Class -> foo.a:',
      '# {"id":"sourceFile","fileName":"R8Test.kt"}',
      '    1:1:void run():3:3 -> a',
    );
    expect(mapping.lookUp('foo.a', 'a', 1)[0]?.file).toBe('R8Test.kt');
  });

  test('synthesized frames go, wherever the method stands', () => {
    const mapping = mappingOf(
      'some.package.Class -> foo.a:',
      '    4:4:void example.Foo.lambda$main$0():225 -> a',
      '    4:4:void run(example.Foo):2 -> a',
      "    # {'id':'com.android.tools.r8.synthesized'}",
      '    5:5:void example.Foo.lambda$main$1():228 -> a',
      '    5:5:void run(example.Foo):4 -> a',
    );
    expect(placesOf(mapping, 'foo.a', 'a', 4)).toEqual(['example.Foo.lambda$main$0:225']);
    expect(placesOf(mapping, 'foo.a', 'a', 5)).toEqual(['example.Foo.lambda$main$1:228']);
  });

  test('a synthesized field says nothing about the method before it', () => {
    const mapping = mappingOf(
      'some.package.Class -> x.y.z:',
      '  1:1:void method():1:1 -> b',
      '  int someField -> a',
      "  # {'id':'com.android.tools.r8.synthesized'}",
    );
    expect(mapping.lookUp('x.y.z', 'b', 1)[0]?.isSynthesized).toBe(false);
  });

  test('a method that is synthesized and alone stays, and says so', () => {
    const mapping = mappingOf(
      'some.package.SomeSynthesizedClass -> x.y.z:',
      '  void someMethod() -> a',
      "  # {'id':'com.android.tools.r8.synthesized'}",
    );
    expect(mapping.lookUp('x.y.z', 'a', 7)).toMatchObject([{ name: 'someMethod', isSynthesized: true }]);
  });

  test('inlined frames: the innermost first', () => {
    const mapping = mappingOf(
      'some.Class -> a:',
      '  4:4:void other.Class.inlinee():23:23 -> a',
      '  4:4:void caller(other.Class):7 -> a',
      '  # { "id": "com.android.tools.r8.rewriteFrame", "conditions": ["throws(Ljava/lang/NullPointerException;)"],',
      '      "actions": ["removeInnerFrames(1)"] }',
    );
    expect(placesOf(mapping, 'a', 'a', 4)).toEqual(['other.Class.inlinee:23', 'some.Class.caller:7']);
  });

  test('the caller of an outline has its name, and no line, which hangs on the frame before', () => {
    const mapping = mappingOf(
      '# { "id": "com.android.tools.r8.mapping", "version": "2.0" }',
      'outline.Class -> a:',
      '  1:2:int outline() -> a',
      "# { 'id':'com.android.tools.r8.outline' }",
      'some.Class -> b:',
      '  1:1:void foo.bar.Baz.qux():42:42 -> s',
      '  4:4:int outlineCaller(int):98:98 -> s',
      '  5:5:int outlineCaller(int):100:100 -> s',
      '  27:27:int outlineCaller(int):0:0 -> s',
      "# { 'id':'com.android.tools.r8.outlineCallsite', 'positions': { '1': 4, '2': 5 } }",
    );
    expect(placesOf(mapping, 'b', 's', 27)).toEqual(['some.Class.outlineCaller:undefined']);
    expect(placesOf(mapping, 'b', 's', 1)).toEqual(['foo.bar.Baz.qux:42']);
    expect(placesOf(mapping, 'a', 'a', 2)).toEqual(['outline.Class.outline:2']);
  });

  test.each([1, 5_000, undefined])('the range that catches all, at line %s', (line) => {
    expect(placesOf(mappingOf('A -> a:', '  0:65535:void foo():33:33 -> a'), 'a', 'a', line)).toEqual(['A.foo:33']);
  });
});

test('the example of ProGuard’s manual', () => {
  const mapping = mappingOf(
    'com.example.application.ArgumentWordReader -> com.example.a.a:',
    '    java.lang.String[] arguments -> a',
    '    int index -> a',
    '    36:57:void <init>(java.lang.String[],java.io.File) -> <init>',
    '    64:64:java.lang.String nextLine() -> a',
    '    72:72:java.lang.String lineLocationDescription() -> b',
    'com.example.application.Main -> com.example.application.Main:',
    '    50:66:void <init>(com.example.application.Configuration) -> <init>',
    '    74:228:void execute() -> a',
    '    2039:2056:void com.example.application.GPL.check():39:56 -> a',
    '    2039:2056:void execute():76 -> a',
    '    2236:2252:void printConfiguration():236:252 -> a',
    '    3040:3042:java.io.PrintWriter com.example.application.util.PrintWriterUtil.createPrintWriterOut(java.io.File):40:42 -> a',
    '    3040:3042:void printConfiguration():243 -> a',
  );
  expect(mapping.classOf('com.example.a.a')).toBe('com.example.application.ArgumentWordReader');
  expect(placesOf(mapping, 'com.example.a.a', '<init>', 40)).toEqual([
    'com.example.application.ArgumentWordReader.<init>:40',
  ]);
  expect(placesOf(mapping, 'com.example.application.Main', 'a', 2_041)).toEqual([
    'com.example.application.GPL.check:41',
    'com.example.application.Main.execute:76',
  ]);
  expect(placesOf(mapping, 'com.example.application.Main', 'a', 2_240)).toEqual([
    'com.example.application.Main.printConfiguration:240',
  ]);
});

describe('a frame without a line, or with one that no range has', () => {
  const mapping = mappingOf(
    'shop.Cart -> a:',
    '    1:3:void add(shop.Item):10:12 -> a',
    '    4:4:int shop.Tax.of(int):5:5 -> a',
    '    4:4:void add(shop.Item):14 -> a',
    '    1:1:void clear():20:20 -> b',
    '    2:2:void close():30:30 -> b',
    '    void open() -> c',
    '    1:1:void openAll():40:40 -> c',
    '    1:1:void one():50:50 -> d',
    '    1:3:void many():60:62 -> f',
  );

  test.each([
    ['a', undefined, ['shop.Cart.add:undefined']],
    ['a', 99, ['shop.Cart.add:undefined']],
    ['b', undefined, []],
    ['c', undefined, ['shop.Cart.open:undefined']],
    ['c', 1, ['shop.Cart.openAll:40']],
    ['d', undefined, ['shop.Cart.one:50']],
    ['e', 1, []],
    ['f', undefined, ['shop.Cart.many:undefined']],
  ])('of method %s at line %s', (method, line, places) => {
    expect(placesOf(mapping, 'a', method, line)).toEqual(places);
  });
});

describe('a name that 10,000 methods have is looked up in much the time of one', () => {
  /** CPU of 2,000 look-ups, the least of three, and the last of what they found. */
  function lookUpAll(mapping: MappingIndex, line: number) {
    const times: number[] = [];
    let found: string[] = [];
    for (let round = 0; round < 3; round++) {
      const before = process.cpuUsage();
      for (let count = 0; count < 2_000; count++) found = placesOf(mapping, 'a', 'a', line + (count % 2));
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1_000);
    }
    return { ms: Math.min(...times), found };
  }
  const methods = (nameOf: (index: number) => string) =>
    mappingOf('A -> a:', ...Array.from({ length: 10_000 }, (_, i) => `  ${i + 1}:${i + 1}:void ${nameOf(i)}():7 -> a`));
  const one = mappingOf('A -> a:', '  1:20000:void f():7 -> a');

  test.each([
    ['by a line of its last', methods((index) => `f${index}`), 9_999, ['A.f9999:7']],
    ['by a line that none has', methods((index) => `f${index}`), 30_000, []],
    ['by a line that none has, when all are one', methods(() => 'f'), 30_000, ['A.f:undefined']],
  ])('%s', (_name, many, line, places) => {
    const { ms, found } = lookUpAll(many, line);
    expect(found).toEqual(places);
    expect(ms).toBeLessThan(10 * lookUpAll(one, 1).ms + 10);
  });
});

test('lines beyond the range of the source do not come about', () => {
  expect(placesOf(mappingOf('A -> a:', '  1:9:void f():20:22 -> a'), 'a', 'a', 8)).toEqual(['A.f:22']);
});

test('a class that the mapping does not name', () => {
  const mapping = mappingOf('A -> a:', '  void f() -> g');
  expect([mapping.classOf('b'), mapping.classOf('aa'), mapping.classOf(''), mapping.lookUp('b', 'g', 1)]).toEqual([
    undefined,
    undefined,
    undefined,
    [],
  ]);
});

test('Windows’ line ends, names beyond ASCII, and lines that are none', () => {
  const mapping = mappingOf(
    'x\r',
    ' -> \r',
    'größe.Maß -> ä:\r',
    '    1:2:void wiegen():7:8 -> ß\r',
    '    ( -> ) ->\r',
  );
  expect(placesOf(mapping, 'ä', 'ß', 2)).toEqual(['größe.Maß.wiegen:8']);
});

test.each([
  ['a text that names no class', 'hello\n    void f() -> g', 'it names no class'],
  ['nothing', '', 'it names no class'],
  ['more lines than a mapping has', '\n'.repeat(2_000_001), 'more than 2000000 lines'],
])('%s is an error', (_name, text, reason) => {
  expect(() => compileMapping(text)).toThrow(new SymbolDataError('mapping', reason));
});

const whole = compileMapping('A -> a:\n  1:2:void f():3:4 -> g\n  1:2:void h():9 -> g\nB -> b:\n  void i() -> j');

test('other bytes, and an index that is not whole, are an error', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('MRMAPIDX'), whole.subarray(0, -1)])
    expect(() => openMapping(bytes)).toThrow(
      new SymbolDataError('index', 'these bytes are no whole index of this version'),
    );
});

test('damaged numbers lead to wrong names or none, never to an error', () => {
  const property = fc.property(fc.nat(whole.length - 41), fc.nat(255), fc.nat(5), (place, value, line) => {
    const damaged = Buffer.from(whole);
    damaged[40 + place] = value;
    const found = openMapping(damaged).lookUp('a', 'g', line);
    expect(found.length).toBeLessThanOrEqual(2);
  });
  fc.assert(property, { numRuns: 2_000 });
});
