import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { symbolIndexKey, symbolIndexVersion } from '@millrace/contracts/symbol-objects.ts';
import type { ObjectFiles } from '@millrace/object-storage/object-storage.ts';
import { symbolFormat } from '@millrace/symbolication/index/symbol-format.ts';
import { mappingFormat } from '@millrace/symbolication/proguard/mapping-format.ts';
import { compileSymbols } from '@millrace/symbolication/symbols/compile-symbols.ts';
import { containerOf, scriptAndMap } from '@millrace/symbolication/testing/containers.ts';
import { mapText } from '@millrace/symbolication/testing/map-texts.ts';
import { createCompiledSymbols, NoRoomError } from './compiled-symbols.ts';
import { loadSets, type StoredSet } from './load-sets.ts';
import { CompileFaultError, createSymbolCompiler } from './symbol-compiler.ts';
import { UnreadableSymbolsError } from './unreadable-symbols-error.ts';

const container = containerOf(scriptAndMap('f()', mapText({})));

const headOfAny = () => Promise.resolve({ sizeBytes: container.length });

/** A storage with these objects; what `parts` replaces fails as it says. */
function createRig(keys: readonly string[], parts: Partial<ObjectFiles> = {}, limits = {}) {
  const objects = new Map<string, Uint8Array>(keys.map((key) => [key, container]));
  const faults: unknown[] = [];
  const clock = { nowMs: 0 };
  const rig = { clock, compiled: [] as number[], faults, objects, fails: new Set<number>(), faulty: new Set<number>() };
  const storage = {
    get: (key: string) => {
      const bytes = objects.get(key);
      return Promise.resolve(bytes === undefined ? undefined : Readable.from([bytes]));
    },
    head: (key: string) => {
      const bytes = objects.get(key);
      return Promise.resolve(bytes === undefined ? undefined : { sizeBytes: bytes.length });
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
        if (rig.faulty.has(projectId)) throw new CompileFaultError('symbols take too long to read');
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
  const other = createRig([]);
  for (const [key, bytes] of objects) other.objects.set(key, bytes);
  await other.symbols.load('symbolsets/a', 1);
  expect([compiled, other.compiled, [...objects.keys()]]).toEqual([
    [1],
    [],
    ['symbolsets/a', symbolIndexKey('symbolsets/a')],
  ]);
});

test('the key of an index changes with the version of each format', () => {
  expect(symbolIndexVersion).toBe(symbolFormat.version + mappingFormat.version);
});

test('what cannot be read is not tried again for an hour', async () => {
  const { symbols, compiled, fails } = createRig(['symbolsets/a']);
  fails.add(1);
  for (let round = 0; round < 2; round++)
    await expect(symbols.load('symbolsets/a', 1)).rejects.toThrow('map invalid: it is none');
  expect(compiled).toEqual([1]);
});

describe('a fault of one file', () => {
  test('that may be ours is tried three times; only then it cannot be read, for an hour', async () => {
    const { symbols, clock, compiled, fails, faulty } = createRig(
      ['symbolsets/a', 'symbolsets/b'],
      {},
      { faultMs: 10 },
    );
    faulty.add(1);
    const errors: unknown[] = [];
    for (let at = 0; at < 40; at += 5) {
      clock.nowMs = at;
      await symbols.load('symbolsets/a', 1).catch((error: unknown) => void errors.push((error as Error).name));
    }
    const [late, unreadable] = ['CompileFaultError', 'UnreadableSymbolsError'];
    expect(errors).toEqual([...Array.from({ length: 4 }, () => late), ...Array.from({ length: 4 }, () => unreadable)]);
    expect(compiled).toEqual([1, 1, 1]);
    clock.nowMs += 3_600_000;
    await expect(symbols.load('symbolsets/a', 1)).rejects.toThrow(UnreadableSymbolsError);
    expect(compiled.length).toBe(4);
    faulty.clear();
    fails.add(2);
    await expect(symbols.load('symbolsets/b', 2)).rejects.toThrow(UnreadableSymbolsError);
    clock.nowMs += 3_600_000;
    expect((await symbols.load('symbolsets/a', 1)).byteLength).toBeGreaterThan(0);
  });

  test('that ends the thread which compiles is its own: it is remembered, and others are read at once', async () => {
    const faults: unknown[] = [];
    const compiler = createSymbolCompiler(
      (error) => void faults.push(error),
      new URL('../../test/failing-worker.ts', import.meta.url),
    );
    await expect(compiler.compile(new Uint8Array(container), 1)).rejects.toThrow(CompileFaultError);
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
    const { symbols, clock } = createRig([], { get, head: headOfAny }, { awayMs: 1 });
    const load = async (name: string): Promise<string> => {
      const [outcome] = await Promise.allSettled([symbols.load(`symbolsets/${name}`, 1)]);
      return `${name} ${outcome.status}`;
    };
    return { asked, clock, load };
  }

  test('is left alone for a while; others are read at once', async () => {
    const { asked, clock, load } = refusing(symbolIndexKey('symbolsets/a'));
    expect([await load('a'), await load('a'), await load('b')]).toEqual(['a rejected', 'a rejected', 'b fulfilled']);
    clock.nowMs = 1;
    expect([await load('a'), await load('c')]).toEqual(['a rejected', 'c fulfilled']);
    expect(asked).toEqual(['a', 'b', 'a', 'c'].map((name) => symbolIndexKey(`symbolsets/${name}`)));
  });

  test('is not the storage, even when another one was refused before others were read', async () => {
    const { load } = refusing(symbolIndexKey('symbolsets/a'), symbolIndexKey('symbolsets/b'));
    expect([await load('a'), await load('c'), await load('b'), await load('d')]).toEqual([
      'a rejected',
      'c fulfilled',
      'b rejected',
      'd fulfilled',
    ]);
  });

  test('is the storage when another one is refused next: all are left alone for a while', async () => {
    const { asked, clock, load } = refusing(symbolIndexKey('symbolsets/a'), symbolIndexKey('symbolsets/b'));
    expect([await load('a'), await load('b'), await load('c')]).toEqual(['a rejected', 'b rejected', 'c rejected']);
    clock.nowMs = 1;
    expect([await load('c'), asked.length]).toEqual(['c fulfilled', 3]);
  });
});

test('a storage that never answers is away: loads that wait for it end, and a later one is tried', async () => {
  let answers = false;
  const silent = new Readable({ read: () => undefined });
  const get = (): Promise<Readable> => Promise.resolve(answers ? Readable.from([container]) : silent);
  const { symbols, clock } = createRig([], { get, head: headOfAny }, { readMsMax: 50, awayMs: 1 });
  const loads = Array.from({ length: 6 }, (_, index) => symbols.load(`symbolsets/${index}`, index));
  const outcomes = await Promise.allSettled(loads);
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(silent.destroyed).toBe(true);
  answers = true;
  await expect(symbols.load('symbolsets/7', 7)).rejects.toThrow('the object storage does not answer');
  clock.nowMs = 1;
  expect((await symbols.load('symbolsets/7', 7)).byteLength).toBeGreaterThan(0);
});

describe('memory', () => {
  const mebibyte = 1_048_576;
  const large = largeIndex(8 * mebibyte);

  /** A storage with a large index of each of 16 sets, and the bytes of them that are being read. */
  function createLargeRig(bytesMax: number) {
    const reads = { bytes: 0, mostBytes: 0, keys: [] as string[] };
    async function* chunksOf(bytes: Uint8Array) {
      reads.bytes += bytes.length;
      reads.mostBytes = Math.max(reads.mostBytes, reads.bytes);
      for (let at = 0; at < bytes.length; at += 65_536) {
        await new Promise((resolve) => setImmediate(resolve));
        yield bytes.subarray(at, at + 65_536);
      }
      reads.bytes -= bytes.length;
    }
    const get = (key: string) => {
      reads.keys.push(key);
      return Promise.resolve(Readable.from(chunksOf(large), { objectMode: true }));
    };
    const head = () => Promise.resolve({ sizeBytes: large.length });
    const { symbols } = createRig([], { get, head }, { bytesMax });
    const keys = Array.from({ length: 16 }, (_, at) => `symbolsets/${at}`);
    return { symbols, reads, keys };
  }

  test('holds the bytes that are being read, and those that are kept, within one bound', async () => {
    const { symbols, reads, keys } = createLargeRig(20 * mebibyte);
    await Promise.all(keys.map((key, projectId) => symbols.load(key, projectId)));
    expect(reads.keys.length).toBe(16);
    expect(reads.mostBytes).toBe(2 * large.length);
  });

  test('of whoever has no room for an index reads nothing of it; whoever shared the load and has room does', async () => {
    const { symbols, reads } = createLargeRig(100 * mebibyte);
    const sizes: number[] = [];
    const refuse = (bytes: number): boolean => sizes.push(bytes) === 0;
    const loads = [symbols.load('symbolsets/a', 1, refuse), symbols.load('symbolsets/a', 1)];
    const outcomes = await Promise.allSettled(loads);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    await expect(symbols.load('symbolsets/b', 1, refuse)).rejects.toThrow(NoRoomError);
    expect([sizes, reads.keys]).toEqual([[large.length, large.length], [symbolIndexKey('symbolsets/a')]]);
  });

  test('of a project reads no more than it may hold, however many sets it names', async () => {
    const { symbols, reads, keys } = createLargeRig(100 * mebibyte);
    const limits = { projectBytesMax: 20 * mebibyte, bytesMax: 30 * mebibyte };
    const faults: unknown[] = [];
    const parts = { compiled: symbols, onAway: (error: unknown) => void faults.push(error) };
    const loaded = await loadSets(setsOf(keys), parts, new AbortController().signal, limits);
    expect([loaded.size, reads.keys.length, faults]).toEqual([2, 2, []]);
  });

  test('of a project that holds as much as it may is not asked to hold more: its other sets are not compiled', async () => {
    const keys = ['symbolsets/a', 'symbolsets/b', 'symbolsets/c', 'symbolsets/d'];
    const { symbols, compiled } = createRig(keys);
    const size = (compileSymbols(container) as Uint8Array).length;
    const limits = { projectBytesMax: 1.5 * size, bytesMax: 10 * size };
    const parts = { compiled: symbols, onAway: () => undefined };
    const loaded = await loadSets(setsOf(keys), parts, new AbortController().signal, limits);
    expect([loaded.size, compiled.length]).toEqual([1, 2]);
  });
});

/** Sets of one project, by the keys of their files. */
const setsOf = (keys: readonly string[]): StoredSet[] =>
  keys.map((storageKey) => ({ id: storageKey, projectId: 1, ref: storageKey, storageKey, release: null }));

/** An index whose map has a text of so many bytes. */
function largeIndex(contentBytes: number): Uint8Array {
  const map = mapText({ sources: ['a.ts'], sourcesContent: ['a'.repeat(contentBytes)], mappings: 'AAAA' });
  return compileSymbols(containerOf(scriptAndMap('f()', map))) as Uint8Array;
}
