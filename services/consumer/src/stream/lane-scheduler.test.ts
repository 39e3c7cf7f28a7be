import { describe, expect, test } from '@jest/globals';
import type { Lane } from '@millrace/contracts/lanes.ts';
import { createLaneScheduler } from './lane-scheduler.ts';

/** Runs until every promise that can settle has. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function lanesAtWork(atOnce: number) {
  let nowMs = 0;
  const scheduler = createLaneScheduler(atOnce, { nowMs: () => nowMs });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const failed: string[] = [];
  return {
    begun,
    failed,
    pass: (ms: number) => void (nowMs += ms),
    send: async (...names: string[]): Promise<void> => {
      for (const name of names) {
        const work = (): Promise<void> => {
          begun.push(name);
          return new Promise((resolve, reject) =>
            ends.set(name, () => (name.endsWith('!') ? reject(new Error(name)) : resolve())),
          );
        };
        scheduler.run(name.split('-')[0] as Lane, work).catch(() => failed.push(name));
      }
      await settled();
    },
    end: async (...names: string[]): Promise<void> => {
      for (const name of names) {
        ends.get(name)?.();
        await settled();
      }
    },
  };
}

describe('lanes: main never waits for another lane', () => {
  test('one slot is kept for main, however many others wait', async () => {
    const { send, begun } = lanesAtWork(3);
    await send('historical-1', 'historical-2', 'historical-3', 'overflow-1', 'exceptions-1');
    expect(begun).toEqual(['historical-1', 'historical-2']);
    await send('main-1', 'main-2');
    expect(begun).toEqual(['historical-1', 'historical-2', 'main-1']);
  });

  test('a free slot goes to main, then to exceptions and warnings, then to overflow and historical in order of arrival', async () => {
    const { send, end, begun } = lanesAtWork(2);
    await send('overflow-1', 'main-1', 'overflow-2', 'historical-1', 'warnings-1', 'exceptions-1', 'main-2');
    await end('main-1', 'overflow-1', 'main-2', 'warnings-1', 'exceptions-1', 'overflow-2');
    expect(begun).toEqual([
      'overflow-1',
      'main-1',
      'main-2',
      'warnings-1',
      'exceptions-1',
      'overflow-2',
      'historical-1',
    ]);
  });

  test('while main is in use the others have one slot, and two seconds later all but one again', async () => {
    const { send, end, pass, begun } = lanesAtWork(3);
    await send('main-1', 'historical-1', 'historical-2', 'historical-3', 'historical-4');
    await end('main-1', 'historical-1');
    expect(begun).toEqual(['main-1', 'historical-1', 'historical-2']);
    pass(2_001);
    await end('historical-2');
    expect(begun).toEqual(['main-1', 'historical-1', 'historical-2', 'historical-3', 'historical-4']);
  });

  test('main may use all slots', async () => {
    const { send, begun } = lanesAtWork(3);
    await send('main-1', 'main-2', 'main-3', 'main-4', 'historical-1');
    expect(begun).toEqual(['main-1', 'main-2', 'main-3']);
  });

  test('with one slot the others have it too, when main does not want it', async () => {
    const { send, end, begun } = lanesAtWork(1);
    await send('historical-1', 'historical-2', 'main-1');
    await end('historical-1', 'main-1');
    expect(begun).toEqual(['historical-1', 'main-1', 'historical-2']);
  });

  test('a lane that has waited for five seconds goes before main: nothing waits for ever', async () => {
    const { send, end, pass, begun } = lanesAtWork(1);
    await send('main-1', 'historical-1', 'main-2', 'main-3');
    pass(4_999);
    await end('main-1');
    pass(2);
    await end('main-2');
    expect(begun).toEqual(['main-1', 'main-2', 'historical-1']);
  });

  test('work that fails gives its slot back', async () => {
    const { send, end, begun, failed } = lanesAtWork(1);
    await send('main-1!', 'main-2');
    await end('main-1!');
    expect([begun, failed]).toEqual([['main-1!', 'main-2'], ['main-1!']]);
  });
});

test('a batch that waits for something without its slot holds up nobody, and gets another slot after', async () => {
  const scheduler = createLaneScheduler(1, { nowMs: () => 0 });
  const reported: string[] = [];
  const slow = Promise.withResolvers<void>();
  const waiting = scheduler.run('exceptions', async (withoutSlot) => {
    reported.push('exceptions begin');
    await withoutSlot(() => slow.promise);
    reported.push('exceptions go on');
  });
  const main = Promise.withResolvers<void>();
  const working = scheduler.run('main', () => (reported.push('main begins'), main.promise));
  await settled();
  slow.resolve();
  await settled();
  expect(reported).toEqual(['exceptions begin', 'main begins']);
  main.resolve();
  await Promise.all([waiting, working]);
  expect(reported).toEqual(['exceptions begin', 'main begins', 'exceptions go on']);
});
