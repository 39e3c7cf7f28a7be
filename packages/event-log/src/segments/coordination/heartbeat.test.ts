import { expect, jest, test } from '@jest/globals';
import { ownIdentity, HeartbeatWatch, type Heartbeat, type ProcessIdentity } from './heartbeat.ts';

const heartbeat = (identity: Partial<ProcessIdentity>, more: Partial<Heartbeat> = {}): Heartbeat => ({
  identity: { ...ownIdentity, ...identity },
  lanes: [],
  beat: 1,
  released: false,
  settled: true,
  ...more,
});

test.each<[name: string, seen: Heartbeat | null, gone: boolean]>([
  ['who gave it back is gone at once', heartbeat({ machine: 'another' }, { released: true }), true],
  ['who ran before this machine was started is gone at once', heartbeat({ boot: 'before' }), true],
  ['whose pid is another process by now is gone at once', heartbeat({ started: '1' }), true],
  ['who lives is not', heartbeat({}), false],
  [
    'who is on another machine is not: pids say nothing there',
    heartbeat({ machine: 'another', boot: 'another', pid: 1, started: '1' }),
    false,
  ],
  ['whose file is half written is not', null, false],
])('%s', (_name, seen, gone) => {
  expect(new HeartbeatWatch(1_000).isGone('file', seen)).toBe(gone);
});

test('a process without a heartbeat counts as dead after a while by our own clock; each heartbeat starts the time again', () => {
  let nowMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  try {
    const watch = new HeartbeatWatch(1_000);
    const seen = [
      [0, 1],
      [1_000, 1],
      [1_000, 2],
      [2_000, 2],
      [2_001, 2],
    ].map(([atMs = 0, beat = 0]) => {
      nowMs = atMs;
      return watch.isGone('file', heartbeat({ machine: 'another' }, { beat }));
    });
    expect(seen).toEqual([false, false, false, false, true]);
  } finally {
    clock.mockRestore();
  }
});
