import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createThreadPool, type PoolLimits, type ThreadPool } from './thread-pool.ts';
import type { TestOutcome, TestTask } from './testing/worker.ts';

let opened: ThreadPool<TestTask, TestOutcome>;
afterEach(() => opened.close());

function start(limits: Partial<PoolLimits> = {}): ThreadPool<TestTask, TestOutcome> {
  opened = createThreadPool<TestTask, TestOutcome>(
    {
      module: new URL('./testing/worker.ts', import.meta.url),
      transferOf: (task) => ('bytes' in task ? [task.bytes.buffer] : []),
      full: (of) => new Error(`full: ${of}`),
      ended: (reason) => new Error(`ended: ${reason}`),
      closed: () => new Error('closed'),
    },
    {
      threads: 1,
      taskMsMax: 60_000,
      heapMbMax: 32,
      youngHeapMbMax: 8,
      waitingMax: 100,
      waitingPerOwnerMax: 100,
      restFactor: 0,
      ...limits,
    },
  );
  return opened;
}
const full = (of: string) => new Error(`full: ${of}`);

test('owners take turns', async () => {
  const pool = start();
  const order: unknown[] = [];
  await Promise.all(
    ['a1', 'a2', 'a3', 'b1'].map(async (name) => order.push(await pool.run({ name }, name.slice(0, 1)))),
  );
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('each thread does one task at a time', async () => {
  const pool = start({ threads: 2 });
  const slow = pool.run({ name: 'slow', sleepMs: 2000 }, 'a');
  const order: unknown[] = [];
  for (const name of ['1', '2', '3']) order.push(await Promise.race([slow, pool.run({ name }, 'a')]));
  expect(order).toEqual(['1', '2', '3']);
});

test('bytes are handed over, and come back', async () => {
  const bytes = new Uint8Array(1_000_000).fill(7);
  const outcome = await start().run({ bytes }, 'a');
  expect(outcome).toMatchObject({ length: 1_000_000 });
  expect(bytes.length).toBe(0);
});

test('a full queue refuses, for one owner before all others', async () => {
  const pool = start({ waitingMax: 3, waitingPerOwnerMax: 2 });
  const taken = ['a', 'a', 'a'].map((owner) => pool.run({ name: 'done' }, owner));
  await expect(pool.run({ name: 'x' }, 'a')).rejects.toEqual(full('owner'));
  taken.push(pool.run({ name: 'done' }, 'b'));
  await expect(pool.run({ name: 'x' }, 'b')).rejects.toEqual(full('all'));
  expect(await Promise.all(taken)).toEqual(['done', 'done', 'done', 'done']);
});

test('a reserved place counts as a task that waits, until it is given back or its task begins', async () => {
  const pool = start({ waitingMax: 3, waitingPerOwnerMax: 2 });
  const places = [pool.reserve('a'), pool.reserve('a')];
  expect(() => pool.reserve('a')).toThrow('full: owner');
  const other = pool.reserve('b');
  expect(() => pool.reserve('b')).toThrow('all');
  other.free();
  other.free();
  pool.reserve('b').free();
  const taken = places.map((place, at) => place.run({ name: `${at}` }));
  // The first has begun, and the second waits.
  const third = pool.reserve('a');
  await expect(pool.run({ name: 'x' }, 'a')).rejects.toEqual(full('owner'));
  expect(await Promise.all(taken)).toEqual(['0', '1']);
  expect(await third.run({ name: 'third' })).toBe('third');
  expect(await Promise.all(['1', '2', '3'].map((name) => pool.run({ name }, 'a')))).toEqual(['1', '2', '3']);
});

test('a place whose client has gone, or whose pool is closed, is free', async () => {
  const pool = start({ waitingMax: 1 });
  await expect(pool.reserve('a').run({ name: 'x' }, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  const place = pool.reserve('a');
  await pool.close();
  await expect(place.run({ name: 'x' })).rejects.toMatchObject({ message: 'closed' });
  expect(() => pool.reserve('a')).toThrow(expect.objectContaining({ message: 'closed' }));
});

test('a task whose signal aborts leaves the queue, and its place is free', async () => {
  const pool = start({ waitingMax: 1 });
  const first = pool.run({ name: 'first' }, 'a');
  const gone = new AbortController();
  const left = pool.run({ name: 'left' }, 'a', gone.signal);
  gone.abort(new Error('gone'));
  const next = pool.run({ name: 'next' }, 'a');
  await expect(left).rejects.toThrow('gone');
  await expect(pool.run({ name: 'late' }, 'a', gone.signal)).rejects.toThrow('gone');
  expect(await Promise.all([first, next])).toEqual(['first', 'next']);
});

test('a task that has begun goes on when its signal aborts', async () => {
  const gone = new AbortController();
  const begun = start().run({ name: 'begun' }, 'a', gone.signal);
  gone.abort();
  expect(await begun).toBe('begun');
});

test.each<[string, TestTask, object]>([
  ['too much memory', { fault: 'memory' }, { message: 'ended: memory' }],
  ['an error', { fault: 'throw' }, { name: 'TypeError', message: 'of the task' }],
  ['an exit', { fault: 'exit' }, { message: 'the thread ended by itself, with 3' }],
  ['an outcome that cannot be sent', { fault: 'unsendable' }, { stack: expect.stringContaining('not be cloned') }],
])('%s ends the task alone, at once; the next gets another thread', async (_, task, error) => {
  const pool = start();
  const [failed, next] = [pool.run(task, 'a'), pool.run({ name: 'next' }, 'a')];
  await expect(failed).rejects.toMatchObject(error);
  expect(await next).toBe('next');
});

test('a task that cannot be sent fails alone', async () => {
  const pool = start();
  await expect(pool.run({ name: Symbol('unsendable') } as never, 'a')).rejects.toThrow('could not be cloned');
  expect(await pool.run({ name: 'next' }, 'a')).toBe('next');
});

test('too long ends the task, the first one too; the start of a thread is no part of it', async () => {
  const pool = start({ taskMsMax: 50 });
  expect(await pool.run({ name: 'first' }, 'a')).toBe('first');
  const slow = { name: 'slow', sleepMs: 10_000 };
  for (const task of [slow, slow]) await expect(pool.run(task, 'a')).rejects.toMatchObject({ message: 'ended: time' });
  expect(await pool.run({ name: 'next' }, 'a')).toBe('next');
});

test('an owner rests after its task, and others have the thread meanwhile', async () => {
  const pool = start({ restFactor: 1_000_000 });
  await pool.run({ name: 'first', sleepMs: 1 }, 'a');
  const second = pool.run({ name: 'second' }, 'a');
  for (const owner of ['b', 'c']) expect(await pool.run({ name: owner }, owner)).toBe(owner);
  await Promise.all([pool.close(), expect(second).rejects.toMatchObject({ message: 'closed' })]);
});

test('a pool that is closed leaves nothing waiting or running', async () => {
  const pool = start();
  const tasks = [1, 2].map(() =>
    expect(pool.run({ name: 'x', sleepMs: 10_000 }, 'a')).rejects.toMatchObject({ message: 'closed' }),
  );
  await Promise.all([pool.close(), ...tasks]);
  await expect(pool.run({ name: 'x' }, 'a')).rejects.toMatchObject({ message: 'closed' });
});

test('a thread without tasks ends after a time, if it is to, and another begins with the next task', async () => {
  const pool = start({ idleMsMax: 200 });
  const count = (): Promise<TestOutcome> => pool.run({ what: 'count' }, 'a');
  expect([await count(), await count(), await count()]).toEqual(['1', '2', '3']);
  await eventually(async () => expect(await count()).toBe('1'), { intervalMs: 500 });
});
