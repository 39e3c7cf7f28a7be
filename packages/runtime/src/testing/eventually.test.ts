import { describe, expect, test } from '@jest/globals';
import { eventually } from './eventually.ts';

describe('eventually', () => {
  test('resolves with the result of the first try that holds', async () => {
    let tries = 0;
    const result = await eventually(
      () => {
        tries += 1;
        if (tries < 3) throw new Error('not yet');
        return tries;
      },
      { intervalMs: 1 },
    );
    expect(result).toBe(3);
  });

  test('gives up at the deadline with the words of the last failure', async () => {
    const never = eventually(() => Promise.reject(new Error('still red')), { deadlineMs: 30, intervalMs: 1 });
    await expect(never).rejects.toThrow('not true within 30 ms: still red');
  });

  test('gives up on a try that hangs', async () => {
    const hanging = eventually(() => new Promise<never>(() => undefined), { deadlineMs: 30 });
    await expect(hanging).rejects.toThrow('not true within 30 ms');
  });
});
