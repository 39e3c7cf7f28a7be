import { expect, test } from '@jest/globals';
import type { Symbols } from '@millrace/symbolication/symbols/open-symbols.ts';
import { NoRoomError, type CompiledSymbols } from './compiled-symbols.ts';
import { loadSets, type StoredSet } from './load-sets.ts';

const set = (projectId: number, name: string): StoredSet => ({
  projectId,
  ref: name,
  id: `${projectId}${name}`,
  storageKey: `symbolsets/${projectId}${name}`,
  release: null,
});
const setsOf = (projectId: number): StoredSet[] => [...'abcdefghij'].map((name) => set(projectId, name));
const symbols = { byteLength: 10 } as Symbols;
/** Loads at once, where there is room. */
const compiled: CompiledSymbols = {
  load: async (_, projectId, take = () => true) => {
    await Promise.resolve();
    if (!take(symbols.byteLength)) throw new NoRoomError(`no room for ${projectId}`);
    return symbols;
  },
};
const never = new AbortController().signal;
const onAway = () => undefined;

test('a batch holds a bounded part of what a project names, and then loads no more of it; others have theirs', async () => {
  const asked: number[] = [];
  const load: CompiledSymbols['load'] = async (key, projectId, take) => {
    asked.push(projectId);
    return await compiled.load(key, projectId, take);
  };
  const sets = [...setsOf(1), set(2, 'a')];
  const loaded = await loadSets(sets, { compiled: { load }, onAway }, never, { projectBytesMax: 25, bytesMax: 40 });
  expect([...loaded.keys()].sort()).toEqual(['1a', '1b', '2a']);
  expect(asked.filter((projectId) => projectId === 1).length).toBeLessThan(10);
});

test('the first set of a project may be larger, as far as the whole allows', async () => {
  const loaded = await loadSets([1, 2, 3].flatMap(setsOf), { compiled, onAway }, never, {
    projectBytesMax: 5,
    bytesMax: 25,
  });
  expect([...loaded.keys()].sort()).toEqual(['1a', '2a']);
});

test('the whole of a batch is bounded too', async () => {
  const loaded = await loadSets([1, 2, 3].flatMap(setsOf), { compiled, onAway }, never, {
    projectBytesMax: 30,
    bytesMax: 70,
  });
  expect(loaded.size).toBe(7);
});

test('at the deadline what has not begun never does, and what comes later changes nothing', async () => {
  const deadline = new AbortController();
  const waits: PromiseWithResolvers<Symbols>[] = [];
  const load = (): Promise<Symbols> => {
    const wait = Promise.withResolvers<Symbols>();
    waits.push(wait);
    return wait.promise;
  };
  const loading = loadSets(setsOf(1), { compiled: { load }, onAway }, deadline.signal);
  deadline.abort();
  const loaded = await loading;
  for (const wait of waits) wait.resolve(symbols);
  await new Promise((resolve) => setImmediate(resolve));
  expect([waits.length, loaded.size]).toEqual([4, 0]);
});
