import { expect, test } from '@jest/globals';
import { learner, noRetry, storeInMemory, type Row } from '../test/definitions-rig.ts';

// A project has so many names of a kind, and no more (contract/decisions 74).

async function fullStore() {
  const stored = storeInMemory({ namesMax: 50 });
  const { definitions, send } = learner(stored.store);
  for (let at = 0; at < 50; at++) send(`event ${at}`, { [`key ${at}`]: 1 });
  await definitions.written(noRetry);
  stored.statements.length = 0;
  return stored;
}

test('a process that starts at the limit learns the values of names that the project has, after it refused one', async () => {
  const { store, counts, events } = await fullStore();
  const { definitions, send } = learner(store);
  send('event 3', { unknown: 1, 'key 3': 1 });
  send('another', { 'key 4': 1 });
  await definitions.written(noRetry);
  expect(send('event 5', { 'key 7': 'text', 'key 3': 'text' })).toBeNull();
  await definitions.written(noRetry);
  expect(counts('event.key 7')).toEqual({ numbers: 1, texts: 1 });
  expect(counts('event.key 3')).toEqual({ numbers: 2, texts: 1 });
  expect(send('event 5', { unknown: 1 })).toMatchObject({ leftOut: 1 });
  expect(send('yet another', {})).toMatchObject({ leftOut: 1 });
  expect(events.size).toBe(50);
});

test('the names are read at the start and once for each kind that is full, however many names come', async () => {
  const { store, statements } = await fullStore();
  const { clock, definitions, send } = learner(store);
  for (let at = 0; at < 40; at++) {
    clock.ms += 1_000;
    for (const way of ['a', 'b']) send(`new event ${way} ${at}`, {});
    send('event 1', { [`new a ${at}`]: at, [`new b ${at}`]: at });
    await definitions.written(noRetry);
  }
  expect(statements.filter((statement) => statement === 'names')).toHaveLength(3);
});

test('names that could not be read are read with the next try, and nothing is twice in a statement', async () => {
  const { store, counts } = await fullStore();
  let reads = 0;
  const { definitions, send } = learner({
    ...store,
    findNames: (ids) => (++reads === 2 ? Promise.reject(new Error('away')) : store.findNames(ids)),
  });
  send('event 1', { unknown: 1, 'key 1': 1 });
  await expect(definitions.written(noRetry)).rejects.toThrow('away');
  send('event 1', { unknown: 2, 'key 1': 2, 'key 2': 'text' });
  await definitions.written(noRetry);
  expect(counts('event.key 1')).toEqual({ numbers: 3 });
  expect(counts('event.key 2')).toEqual({ numbers: 1, texts: 1 });
  expect(counts('event.unknown')).toBeUndefined();
});

test('pairs of refused names are not stored; one that comes during a write waits for its names', async () => {
  let late: (() => void) | null = null;
  const { store, pairs } = storeInMemory({
    namesMax: 2,
    onDone(statement) {
      if (statement !== 'properties') return;
      late?.();
      late = null;
    },
  });
  const { definitions, send } = learner(store);
  late = () => void send('second', { b: 1 });
  send('first', { a: 1 });
  await definitions.written(noRetry);
  send('third', { a: 1 });
  send('first', { c: 1 });
  await definitions.written(noRetry);
  expect([...pairs].sort()).toEqual(['first a', 'second b']);
});

test('a refused name that another consumer adds just then is learned when it comes again', async () => {
  const stored = storeInMemory({ namesMax: 2 });
  const { definitions, send } = learner({
    ...stored.store,
    findNames(ids) {
      if (stored.properties.size === 2)
        stored.properties.set('event.late', { ...(stored.properties.get('event.a') as Row) });
      return stored.store.findNames(ids);
    },
  });
  send('first', { a: 1 });
  send('first', { b: 1 });
  await definitions.written(noRetry);
  send('first', { late: 1 });
  await definitions.written(noRetry);
  send('first', { late: 'text' });
  await definitions.written(noRetry);
  expect(stored.counts('event.late')).toEqual({ numbers: 1, texts: 1 });
});
