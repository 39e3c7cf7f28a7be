import { describe, expect, test } from '@jest/globals';
import { failures } from '../frames/failures.ts';
import { compileMapping } from '../proguard/compile-mapping.ts';
import { openMapping } from '../proguard/mapping-index.ts';
import { deriveProperties } from './derive-properties.ts';
import { fingerprintOf } from './fingerprint.ts';
import { readExceptions } from './read-exceptions.ts';
import { referencesOf } from './references-of.ts';
import { resolveExceptions } from './resolve-exceptions.ts';

const mapping = openMapping(compileMapping(`A -> a:\n${'  1:1:void f():1 -> b\n'.repeat(500)}`));
const webFrame = { platform: 'web:javascript', filename: 'https://a.example/b.js', lineno: 1, colno: 1_000 };
const long = 'x'.repeat(1_000_000);

/** All that is done with an event, with its time and the length of all that is stored. */
function handle(list: unknown, symbols = mapping) {
  const before = process.cpuUsage();
  const { exceptions: sent } = readExceptions(list, 'web', '1');
  const references = referencesOf(sent);
  const { exceptions, records } = resolveExceptions(sent, ({ chunkId }) => (chunkId === 'm' ? symbols : failures.late));
  const derived = deriveProperties(exceptions);
  const fingerprint = fingerprintOf(exceptions, undefined);
  const { user, system } = process.cpuUsage(before);
  const stored = JSON.stringify([exceptions, derived, fingerprint]).length;
  return { exceptions, records, references, derived, stored, cpuMs: (user + system) / 1_000 };
}

describe('an event that was made to take time or memory', () => {
  test('a stack of 10,000 frames: the first 50 and the last 200', () => {
    const frames = Array.from({ length: 10_000 }, (_, index) => ({ ...webFrame, colno: 1_000 + index }));
    const { exceptions, records, cpuMs, stored } = handle([{ type: 'A', stacktrace: { frames } }]);
    expect([exceptions[0]?.stacktrace?.frames.length, records.length]).toEqual([250, 250]);
    expect(exceptions[0]?.stacktrace?.frames.at(-1)?.column).toBe(10_999);
    expect(cpuMs).toBeLessThan(2_000);
    expect(stored).toBeLessThan(200_000);
  });

  test('50 stacks of 10,000 frames, each from files of their own', () => {
    const frames = (of: number) =>
      Array.from({ length: 10_000 }, (_, index) => ({ ...webFrame, filename: `https://a.example/${of}/${index}.js` }));
    const list = Array.from({ length: 60 }, (_, index) => ({
      type: `A${index}`,
      stacktrace: { frames: frames(index) },
    }));
    const { exceptions, references, derived, cpuMs } = handle(list);
    expect(exceptions.map(({ stacktrace }) => stacktrace?.frames.length)).toEqual([
      ...Array.from({ length: 8 }, () => 250),
      ...Array.from({ length: 42 }, () => 10),
    ]);
    expect(exceptions.at(-1)?.stacktrace?.frames.map(({ source }) => source)).toEqual(
      [0, 1, ...Array.from({ length: 8 }, (_, index) => 9_992 + index)].map((index) => `/49/${index}.js`),
    );
    expect(references).toHaveLength(2_000 + 420);
    expect(derived.$exception_sources).toHaveLength(100);
    expect(cpuMs).toBeLessThan(3_000);
  });

  test('texts of a million characters, in every place that has a text', () => {
    const frame = { ...webFrame, function: long, filename: `https://a.example/${long}`, module: long, chunk_id: long };
    const context = { context_line: long, pre_context: [long], post_context: [long] };
    const resolved = { resolved_name: long, mangled_name: long, source: long, raw_id: long, lang: long };
    const list = [
      { type: long, value: long, module: long, stacktrace: { frames: [frame] } },
      {
        type: 'B',
        stacktrace: { frames: [{ platform: 'python', function: long, filename: long, lineno: 9, ...context }] },
      },
      { type: 'C', stacktrace: { type: 'resolved', frames: [{ platform: 'custom', ...resolved }] } },
    ];
    const { exceptions, references, records, cpuMs, stored } = handle(list);
    expect(exceptions[0]?.value).toHaveLength(10_001);
    expect(
      references.map(({ chunkId = '', url = '' }) => [Buffer.byteLength(chunkId), Buffer.byteLength(url)]),
    ).toEqual([[2_048, 2_048]]);
    expect(JSON.stringify(records.map((record) => record.context)).length).toBeLessThan(1_500);
    expect(stored).toBeLessThan(60_000);
    expect(cpuMs).toBeLessThan(2_000);
  });

  test('10,000 causes in a circle: the first 50, whose parents are never followed', () => {
    const list = Array.from({ length: 10_000 }, (_, index) => ({
      type: 'A',
      value: String(index),
      mechanism: { type: 'chained', exception_id: index, parent_id: (index + 1) % 10_000 },
    }));
    const { exceptions, cpuMs } = handle(list);
    expect(exceptions.map(({ value }) => value)).toEqual(Array.from({ length: 50 }, (_, index) => String(index)));
    expect(cpuMs).toBeLessThan(2_000);
  });

  test('frames that each stand for 50 inlined methods do not make a longer stack', () => {
    const frames = Array.from({ length: 1_000 }, () => ({
      platform: 'java',
      map_id: 'm',
      module: 'a',
      function: 'b',
      lineno: 1,
    }));
    const { exceptions, records, cpuMs } = handle([{ type: 'a', stacktrace: { frames } }]);
    expect([exceptions[0]?.stacktrace?.frames.length, records.length]).toEqual([250, 50]);
    expect(cpuMs).toBeLessThan(10_000);
  });

  test('50 stacks of such frames have the frames that any event may have', () => {
    const frames = (of: number) =>
      Array.from({ length: 250 }, (_, index) => ({
        platform: 'java',
        map_id: 'm',
        module: 'a',
        function: 'b',
        lineno: 1,
        filename: `${of}.${index}`,
      }));
    const list = Array.from({ length: 50 }, (_, index) => ({ type: 'a', stacktrace: { frames: frames(index) } }));
    const { exceptions, records, stored, cpuMs } = handle(list);
    const counts = exceptions.map(({ stacktrace }) => stacktrace?.frames.length);
    expect(counts).toEqual([...Array.from({ length: 8 }, () => 250), ...Array.from({ length: 42 }, () => 10)]);
    expect(records.length).toBeLessThanOrEqual(2_000 + 420);
    expect(stored).toBeLessThan(1_000_000);
    expect(cpuMs).toBeLessThan(2_000);
    const kept = new Set(exceptions.flatMap(({ stacktrace }) => stacktrace?.frames.map(({ raw_id }) => raw_id)));
    expect(records.filter(({ contents }) => !kept.has(contents.raw_id))).toEqual([]);
  });

  test('frames whose mapping has names of a million characters', () => {
    const others = Array.from({ length: 20 }, (_, index) => `${long}${index} -> ${long}${index}:`);
    const named = openMapping(
      compileMapping([`${long} -> ${long}:`, `  1:1:void ${long}.${long}():1 -> b`, ...others].join('\n')),
    );
    const frame = { platform: 'java', map_id: 'm', module: long, function: 'b', lineno: 1 };
    const frames = Array.from({ length: 100 }, () => frame);
    const { exceptions, cpuMs, stored } = handle([{ type: 'a', stacktrace: { frames } }], named);
    expect(exceptions[0]?.stacktrace?.frames[0]?.resolved_name).toHaveLength(1_001);
    expect(stored).toBeLessThan(1_000_000);
    expect(cpuMs).toBeLessThan(2_000);
  });

  test('a list of a million that are no exceptions', () => {
    const { exceptions, cpuMs } = handle(Array.from({ length: 1_000_000 }, () => 0));
    expect(exceptions).toEqual([]);
    expect(cpuMs).toBeLessThan(5_000);
  });
});
