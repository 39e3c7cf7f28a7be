import { describe, expect, jest, test } from '@jest/globals';
import { createSingleFlight } from './single-flight.ts';

const never = new AbortController().signal;

function open() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  const work = jest.fn((signal: AbortSignal) => {
    signals.push(signal);
    return promise;
  });
  return { work, resolve, reject, signals };
}

describe('work that callers share', () => {
  test('is done once for callers while it is under way, and again for later ones', async () => {
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

  test('that fails, fails for all of them', async () => {
    const shared = createSingleFlight<string>();
    const { work, reject } = open();
    const answers = [shared.run('k', never, work), shared.run('k', never, work)];
    reject(new Error('no'));
    expect(await Promise.allSettled(answers)).toEqual(Array(2).fill({ status: 'rejected', reason: new Error('no') }));
    expect(await shared.run('k', never, () => Promise.resolve('again'))).toBe('again');
  });

  test('that fails for a reason of who began it, is begun by the next of them for themselves, and joined by the others', async () => {
    const shared = createSingleFlight<string>((error) => (error as Error).message === 'of the first');
    const [refused, second] = [open(), open()];
    const [first, mine, theirs] = [
      shared.run('k', never, refused.work),
      shared.run('k', never, second.work),
      shared.run('k', never, () => Promise.resolve('a third time')),
    ];
    refused.reject(new Error('of the first'));
    await expect(first).rejects.toThrow('of the first');
    second.resolve('mine');
    expect(await Promise.all([mine, theirs])).toEqual(['mine', 'mine']);
  });

  test('is not begun for who went away when the other was refused', async () => {
    const shared = createSingleFlight<string>(() => true);
    const refused = open();
    const leaving = new AbortController();
    const work = jest.fn(() => Promise.resolve('x'));
    const [first, mine] = [shared.run('k', never, refused.work), shared.run('k', leaving.signal, work)];
    refused.reject(new Error('of the first'));
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('of the first');
    await expect(mine).rejects.toThrow('gone');
    expect(work).not.toHaveBeenCalled();
  });

  test('goes on while one of them waits, and is given up with the last; who comes then begins anew', async () => {
    const shared = createSingleFlight<string>();
    const { work, signals } = open();
    const [first, second] = [new AbortController(), new AbortController()];
    const answers = [shared.run('k', first.signal, work), shared.run('k', second.signal, work)];
    first.abort(new Error('first left'));
    await expect(answers[0]).rejects.toThrow('first left');
    expect(signals[0]?.aborted).toBe(false);
    second.abort(new Error('second left'));
    await expect(answers[1]).rejects.toThrow('second left');
    expect(signals[0]?.aborted).toBe(true);
    expect(await shared.run('k', never, () => Promise.resolve('anew'))).toBe('anew');
  });

  test('is not begun for who has gone already', async () => {
    const work = jest.fn(() => Promise.resolve('x'));
    await expect(createSingleFlight<string>().run('k', AbortSignal.abort(new Error('gone')), work)).rejects.toThrow(
      'gone',
    );
    expect(work).not.toHaveBeenCalled();
  });
});
