import { describe, expect, jest, test } from '@jest/globals';
import type { OwnWait } from '../limits/concurrency-limiter.ts';
import { createSingleFlight } from './single-flight.ts';

const by = (name: string, { signal } = new AbortController()) => ({ name, signal });
const never = by('a');

function open() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  const work = jest.fn((signal: AbortSignal) => {
    signals.push(signal);
    return promise;
  });
  return { work, resolve, reject, signals };
}

/** Work that waits for its slot until another key wants the result too. */
const waiting = () =>
  jest.fn(
    (_signal: AbortSignal, wait: OwnWait): Promise<string> =>
      new Promise((_resolve, reject) => {
        wait.giveUp = () => reject(new Error('own'));
      }),
  );

describe('work that callers share', () => {
  test('is executed once for all callers that arrive while it runs, and again for later ones', async () => {
    const shared = createSingleFlight<string>();
    const { work, resolve } = open();
    const answers = [
      shared.run('k', never, work),
      shared.run('k', never, work),
      shared.run('other', never, () => Promise.resolve('o')),
    ];
    resolve('done');
    expect(await Promise.all(answers)).toEqual(['done', 'done', 'o']);
    expect(work).toHaveBeenCalledTimes(1);
    expect(await shared.run('k', never, () => Promise.resolve('new'))).toBe('new');
  });

  test('fails for all of them when it fails', async () => {
    const shared = createSingleFlight<string>();
    const { work, reject } = open();
    const answers = [shared.run('k', never, work), shared.run('k', never, work)];
    reject(new Error('no'));
    expect(await Promise.allSettled(answers)).toEqual(Array(2).fill({ status: 'rejected', reason: new Error('no') }));
    expect(await shared.run('k', never, () => Promise.resolve('again'))).toBe('again');
  });

  test('is started again by a caller of another name, and shared by all, when its first caller is refused', async () => {
    const shared = createSingleFlight<string>((error) => (error as Error).message === 'of the first');
    const [refused, second] = [open(), open()];
    const third = jest.fn(() => Promise.resolve('a third time'));
    const answers = [
      shared.run('k', never, refused.work),
      shared.run('k', by('b'), second.work),
      shared.run('k', by('c'), third),
    ];
    refused.reject(new Error('of the first'));
    second.resolve('mine');
    expect(await Promise.all(answers)).toEqual(['mine', 'mine', 'mine']);
    expect(third).not.toHaveBeenCalled();
  });

  test('is refused to all when each of them in turn is refused', async () => {
    const shared = createSingleFlight<string>(() => true);
    const works = ['a', 'b', 'c'].map((name) => jest.fn(() => Promise.reject(new Error(`of ${name}`))));
    const answers = works.map((work, index) => shared.run('k', by('abc'[index] ?? ''), work));
    expect(await Promise.allSettled(answers)).toEqual(Array(3).fill({ status: 'rejected', reason: new Error('of c') }));
    expect(works.map((work) => work.mock.calls.length)).toEqual([1, 1, 1]);
  });

  test('is not started for a caller that left before the first one was refused', async () => {
    const shared = createSingleFlight<string>(() => true);
    const refused = open();
    const leaving = new AbortController();
    const work = jest.fn(() => Promise.resolve('x'));
    const [first, mine] = [shared.run('k', never, refused.work), shared.run('k', by('b', leaving), work)];
    leaving.abort(new Error('gone'));
    await expect(mine).rejects.toThrow('gone');
    refused.reject(new Error('of the first'));
    await expect(first).rejects.toThrow('of the first');
    expect(work).not.toHaveBeenCalled();
  });

  test('runs while one caller waits, and is aborted when the last one leaves; the next caller starts it again', async () => {
    const shared = createSingleFlight<string>();
    const { work, signals } = open();
    const [first, second] = [new AbortController(), new AbortController()];
    const answers = [shared.run('k', by('a', first), work), shared.run('k', by('b', second), work)];
    first.abort(new Error('first left'));
    await expect(answers[0]).rejects.toThrow('first left');
    expect(signals[0]?.aborted).toBe(false);
    second.abort(new Error('second left'));
    await expect(answers[1]).rejects.toThrow('second left');
    expect(signals[0]?.aborted).toBe(true);
    expect(await shared.run('k', never, () => Promise.resolve('anew'))).toBe('anew');
  });

  test('fails for all callers of one name when the first of them is refused: they would be refused again', async () => {
    const shared = createSingleFlight<string>(() => true);
    const refused = open();
    const again = jest.fn(() => Promise.resolve('again'));
    const answers = [shared.run('k', never, refused.work), shared.run('k', by('a'), again)];
    refused.reject(new Error('of the first'));
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(again).not.toHaveBeenCalled();
  });

  test('waits for its own key until a caller of another name wants the result', async () => {
    const shared = createSingleFlight<string>((error) => (error as Error).message === 'own');
    const { work, resolve } = open();
    const waits = waiting();
    const answers = [shared.run('k', by('a'), waits), shared.run('k', by('a'), waits)];
    await new Promise((resolve) => setImmediate(resolve));
    answers.push(shared.run('k', by('b'), work));
    resolve('mine');
    expect(await Promise.all(answers)).toEqual(['mine', 'mine', 'mine']);
    expect([waits.mock.calls.length, work.mock.calls.length]).toEqual([1, 1]);
  });

  test('started by a second caller serves those who waited for the first, and is aborted when all have left', async () => {
    const shared = createSingleFlight<string>(() => true);
    const { work, signals } = open();
    const [first, second] = [new AbortController(), new AbortController()];
    const answers = [shared.run('k', by('a', first), waiting()), shared.run('k', by('b', second), work)];
    await new Promise((resolve) => setImmediate(resolve));
    second.abort(new Error('second left'));
    await expect(answers[1]).rejects.toThrow('second left');
    expect(signals[0]?.aborted).toBe(false);
    first.abort(new Error('first left'));
    await expect(answers[0]).rejects.toThrow('first left');
    expect(signals[0]?.aborted).toBe(true);
  });

  test('is not started for a caller whose signal is aborted already', async () => {
    const work = jest.fn(() => Promise.resolve('x'));
    await expect(
      createSingleFlight<string>().run('k', { name: 'a', signal: AbortSignal.abort(new Error('gone')) }, work),
    ).rejects.toThrow('gone');
    expect(work).not.toHaveBeenCalled();
  });
});
