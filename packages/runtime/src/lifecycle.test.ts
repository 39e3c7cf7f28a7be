import { describe, expect, test } from '@jest/globals';
import { createLifecycle, type Part } from './lifecycle.ts';

function recorded(log: string[], name: string, failing?: 'start' | 'stop'): Part {
  const act = (what: 'start' | 'stop') => () => {
    log.push(`${what} ${name}`);
    if (failing === what) throw new Error(`${name} does not ${what}`);
  };
  return { name, start: act('start'), stop: act('stop') };
}

describe('parts start in order and stop in reverse', () => {
  test('when all goes well; a second stop does nothing more', async () => {
    const log: string[] = [];
    const lifecycle = createLifecycle([recorded(log, 'a'), recorded(log, 'b')]);
    await lifecycle.start();
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    expect(log).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  test('a half start is rolled back, and the error names the part that failed', async () => {
    const log: string[] = [];
    const lifecycle = createLifecycle([recorded(log, 'a'), recorded(log, 'b', 'start'), recorded(log, 'c')]);
    await expect(lifecycle.start()).rejects.toThrow('starting b failed');
    expect(log).toEqual(['start a', 'start b', 'stop a']);
  });

  test('a part that does not stop never keeps the others running', async () => {
    const log: string[] = [];
    const lifecycle = createLifecycle([recorded(log, 'a'), recorded(log, 'b', 'stop')]);
    await lifecycle.start();
    await expect(lifecycle.stop()).rejects.toThrow('not everything stopped cleanly');
    expect(log).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });
});
