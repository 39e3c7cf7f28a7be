import { describe, expect, test } from '@jest/globals';
import { createWorkerStates } from './worker-states.ts';

function states() {
  let nowMs = 0;
  return { ...createWorkerStates(() => nowMs), pass: (ms: number): void => void (nowMs += ms) };
}

describe('readiness that speaks for all processes', () => {
  test('a worker is ready when it reports so; its own reasons are shown', () => {
    const { begin, report, end, unhealthyReason } = states();
    expect(unhealthyReason(1)).toBe('does not run; it is started again');
    begin(1);
    expect(unhealthyReason(1)).toBe('is starting');
    report(1, { postgres: 'away', clickhouse: 'away too' });
    expect(unhealthyReason(1)).toBe('postgres: away; clickhouse: away too');
    report(1, {});
    expect(unhealthyReason(1)).toBeNull();
    end(1);
    expect(unhealthyReason(1)).not.toBeNull();
  });

  test('one that stops reporting is not ready', () => {
    const { report, pass, unhealthyReason } = states();
    report(1, {});
    pass(6_000);
    expect(unhealthyReason(1)).toBe('silent for 6 s');
  });
});

describe('a worker that is stuck is found', () => {
  test('by its silence, also when it has never reported', () => {
    const { begin, report, pass, silent } = states();
    begin(1);
    begin(2);
    for (let second = 0; second < 61; second++) {
      expect(silent(60_000)).toEqual([]);
      pass(1_000);
      report(2, {});
    }
    expect(silent(60_000)).toEqual([1]);
  });

  test('but not when it is the first process that was stopped', () => {
    const { report, pass, silent } = states();
    report(1, {});
    pass(600_000);
    expect(silent(60_000)).toEqual([]);
  });
});
