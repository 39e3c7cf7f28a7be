import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { ObjectFiles } from '@millrace/object-storage/object-storage.ts';
import { compileSymbols } from '@millrace/symbolication/symbols/compile-symbols.ts';
import { containerOf, scriptAndMap } from '@millrace/symbolication/testing/containers.ts';
import { mapText } from '@millrace/symbolication/testing/map-texts.ts';
import { createCompiledSymbols } from './compiled-symbols.ts';
import { createSymbolCompiler } from './symbol-compiler.ts';
import { UnreadableSymbolsError } from './unreadable-symbols-error.ts';

const container = containerOf(scriptAndMap('f()', mapText({})));

/** A storage with these objects; what `parts` replaces fails as it says. */
function createRig(keys: readonly string[], parts: Partial<ObjectFiles> = {}, limits = {}) {
  const objects = new Map<string, Uint8Array>(keys.map((key) => [key, container]));
  const faults: unknown[] = [];
  const clock = { nowMs: 0 };
  const rig = { clock, compiled: [] as number[], faults, objects, fails: new Set<number>() };
  const storage = {
    get: (key: string) => {
      const bytes = objects.get(key);
      return Promise.resolve(bytes === undefined ? undefined : Readable.from([bytes]));
    },
    put: (key: string, bytes: Uint8Array) => Promise.resolve(void objects.set(key, bytes)),
    ...parts,
  } as ObjectFiles;
  const symbols = createCompiledSymbols(
    {
      storage,
      async compile(bytes, projectId) {
        await Promise.resolve();
        rig.compiled.push(projectId);
        if (rig.fails.has(projectId)) throw new UnreadableSymbolsError('map invalid: it is none');
        return compileSymbols(bytes) as Uint8Array;
      },
      clock: { nowMs: () => clock.nowMs },
      onFault: (error) => void faults.push(error),
    },
    limits,
  );
  return { ...rig, symbols };
}

test('an upload is compiled once; its index is stored, and read from then on', async () => {
  const { symbols, objects, compiled } = createRig(['symbolsets/a']);
  await Promise.all([symbols.load('symbolsets/a', 1), symbols.load('symbolsets/a', 1)]);
  const other = createRig([], { get: (key) => Promise.resolve(Readable.from([objects.get(key) as Uint8Array])) });
  await other.symbols.load('symbolsets/a', 1);
  expect([compiled, other.compiled, [...objects.keys()]]).toEqual([[1], [], ['symbolsets/a', 'symbolindexes/a']]);
});

test('what cannot be read is not tried again for an hour', async () => {
  const { symbols, compiled, fails } = createRig(['symbolsets/a']);
  fails.add(1);
  for (let round = 0; round < 2; round++)
    await expect(symbols.load('symbolsets/a', 1)).rejects.toThrow('map invalid: it is none');
  expect(compiled).toEqual([1]);
});

describe('a fault of one file', () => {
  test('that ends the thread which compiles is its own: it is remembered, and others are read at once', async () => {
    const faults: unknown[] = [];
    const compiler = createSymbolCompiler(
      (error) => void faults.push(error),
      new URL('../../test/failing-worker.ts', import.meta.url),
    );
    await expect(compiler.compile(new Uint8Array(container), 1)).rejects.toThrow(UnreadableSymbolsError);
    expect(faults).toEqual([expect.objectContaining({ message: 'a fault of ours' })]);
    await compiler.close();
    await expect(compiler.compile(new Uint8Array(container), 1)).rejects.toThrow('the process is ending');
  });

  test('whose index cannot be stored is none: its symbols are there, and those of others', async () => {
    const refused = new Error('read only');
    const { symbols, faults } = createRig(['symbolsets/a', 'symbolsets/b'], { put: () => Promise.reject(refused) });
    const loaded = [await symbols.load('symbolsets/a', 1), await symbols.load('symbolsets/b', 2)];
    expect(loaded.every(({ byteLength }) => byteLength > 0)).toBe(true);
    expect(faults).toEqual([refused, refused]);
  });

  test('whose index is larger than what is kept cannot be read; nothing is stored', async () => {
    const { symbols, objects } = createRig(['symbolsets/a'], {}, { bytesMax: 10 });
    await expect(symbols.load('symbolsets/a', 1)).rejects.toThrow('symbols take too much memory to read');
    expect([...objects.keys()]).toEqual(['symbolsets/a']);
  });
});

describe('an object that the storage refuses', () => {
  /** A storage that refuses some indexes, and those that it was asked for. */
  function refusing(...refused: string[]) {
    const asked: string[] = [];
    const get = (key: string): Promise<Readable> => {
      if (key.startsWith('symbolindexes/')) asked.push(key);
      return refused.includes(key) ? Promise.reject(new Error('refused')) : Promise.resolve(Readable.from([container]));
    };
    const { symbols, clock } = createRig([], { get }, { awayMs: 1 });
    const load = async (name: string): Promise<string> => {
      const [outcome] = await Promise.allSettled([symbols.load(`symbolsets/${name}`, 1)]);
      return `${name} ${outcome.status}`;
    };
    return { asked, clock, load };
  }

  test('is left alone for a while; others are read at once', async () => {
    const { asked, clock, load } = refusing('symbolindexes/a');
    expect([await load('a'), await load('a'), await load('b')]).toEqual(['a rejected', 'a rejected', 'b fulfilled']);
    clock.nowMs = 1;
    expect([await load('a'), await load('c')]).toEqual(['a rejected', 'c fulfilled']);
    expect(asked).toEqual(['a', 'b', 'a', 'c'].map((name) => `symbolindexes/${name}`));
  });

  test('is not the storage, even when another one was refused before others were read', async () => {
    const { load } = refusing('symbolindexes/a', 'symbolindexes/b');
    expect([await load('a'), await load('c'), await load('b'), await load('d')]).toEqual([
      'a rejected',
      'c fulfilled',
      'b rejected',
      'd fulfilled',
    ]);
  });

  test('is the storage when another one is refused next: all are left alone for a while', async () => {
    const { asked, clock, load } = refusing('symbolindexes/a', 'symbolindexes/b');
    expect([await load('a'), await load('b'), await load('c')]).toEqual(['a rejected', 'b rejected', 'c rejected']);
    clock.nowMs = 1;
    expect([await load('c'), asked.length]).toEqual(['c fulfilled', 3]);
  });
});

test('a storage that never answers is away: loads that wait for it end, and a later one is tried', async () => {
  let answers = false;
  const silent = new Readable({ read: () => undefined });
  const get = (): Promise<Readable> => Promise.resolve(answers ? Readable.from([container]) : silent);
  const { symbols, clock } = createRig([], { get }, { readMsMax: 50, awayMs: 1 });
  const loads = Array.from({ length: 6 }, (_, index) => symbols.load(`symbolsets/${index}`, index));
  const outcomes = await Promise.allSettled(loads);
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(silent.destroyed).toBe(true);
  answers = true;
  await expect(symbols.load('symbolsets/7', 7)).rejects.toThrow('the object storage does not answer');
  clock.nowMs = 1;
  expect((await symbols.load('symbolsets/7', 7)).byteLength).toBeGreaterThan(0);
});
