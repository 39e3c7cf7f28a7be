import { describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { allOrNone, type RunningProcess, supervise, type Supervised } from './supervise.ts';

interface Fake extends RunningProcess {
  die(): void;
  stopped: boolean;
}

function fakeProcess(pid: number): Fake {
  let end: (result: { code: number | null; signal: string | null }) => void = () => {};
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => (end = resolve));
  const fake: Fake = {
    pid,
    exited,
    stopped: false,
    die: () => end({ code: null, signal: 'SIGKILL' }),
    logTail: () => 'last words',
    stop() {
      fake.stopped = true;
      end({ code: 0, signal: null });
      return Promise.resolve();
    },
  };
  return fake;
}

describe('a supervised process', () => {
  test('is started again within two seconds of its death, with a line that holds the end of its log', async () => {
    const lines: string[] = [];
    const started: Fake[] = [];
    const restarted = new Promise<void>((resolve) => {
      void supervise({
        name: 'consumer',
        start: () => {
          started.push(fakeProcess(started.length + 1));
          return Promise.resolve(started.at(-1) as Fake);
        },
        stopping: new AbortController().signal,
        onRestarted: resolve,
        say: (line) => lines.push(line),
      }).then(() => started[0]?.die());
    });
    const since = Date.now();
    await restarted;
    expect(Date.now() - since).toBeLessThan(2_000);
    expect(lines[0]).toContain('consumer died (SIGKILL)');
    expect(lines[0]).toContain('last words');
    expect(lines[1]).toContain('process 2');
  });

  test('is reported with a known cause of its death, instead of the end of its log', async () => {
    const lines: string[] = [];
    const started: Fake[] = [];
    let cause: string | null = null;
    const supervised = await supervise({
      name: 'consumer',
      start: () => {
        if (cause !== null) throw new Error(`cannot write\n    at open (fs.ts:1)`);
        started.push(fakeProcess(started.length + 1));
        return Promise.resolve(started.at(-1) as Fake);
      },
      stopping: new AbortController().signal,
      onRestarted: () => {},
      say: (line) => lines.push(line),
      outerCause: () => cause,
    });
    cause = 'The disk is full: make room.';
    started[0]?.die();
    await eventually(() => expect(lines).toHaveLength(2));
    cause = null;
    await eventually(() => expect(lines.at(-1)).toBe('consumer runs again (process 2)'));
    expect(lines.slice(0, 2)).toEqual([
      'consumer died (SIGKILL); restarting it. The disk is full: make room.',
      'consumer could not be restarted: The disk is full: make room.',
    ]);
    await supervised.stop();
  });

  test('is started once, even when onRestarted fails', async () => {
    const lines: string[] = [];
    const started: Fake[] = [];
    const supervised = await supervise({
      name: 'capture',
      start: () => {
        started.push(fakeProcess(started.length + 1));
        return Promise.resolve(started.at(-1) as Fake);
      },
      stopping: new AbortController().signal,
      onRestarted: () => {
        throw new Error('the disk is full');
      },
      say: (line) => lines.push(line),
    });
    started[0]?.die();
    await eventually(() => expect(lines.join('\n')).toContain('the disk is full'));
    started[1]?.die();
    await eventually(() => expect(lines.filter((line) => line.includes('the disk is full'))).toHaveLength(2));
    await supervised.stop();
    // One start for each death: no second copy of a living process.
    expect(lines.filter((line) => line.includes('died'))).toHaveLength(2);
    expect(started.map(({ stopped }) => stopped)).toEqual([false, false, true]);
  });

  test('stays stopped after a stop', async () => {
    let starts = 0;
    const only = fakeProcess(1);
    const supervised = await supervise({
      name: 'consumer',
      start: () => {
        starts += 1;
        return Promise.resolve(only);
      },
      stopping: new AbortController().signal,
      onRestarted: () => {},
      say: () => {},
    });
    await supervised.stop();
    expect(only.stopped).toBe(true);
    expect(starts).toBe(1);
  });
});

test('when one of several does not start, the others are stopped again', async () => {
  const stopped: string[] = [];
  const started = (name: string): Promise<Supervised> =>
    Promise.resolve({ name, pids: () => 1, stop: () => Promise.resolve(void stopped.push(name)) });
  await expect(allOrNone([started('a'), Promise.reject(new Error('b is broken')), started('c')])).rejects.toThrow(
    'b is broken',
  );
  expect(stopped).toEqual(['a', 'c']);
});
