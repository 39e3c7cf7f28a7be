import { describe, expect, test } from '@jest/globals';
import { createMemoryThrottleCounter } from './memory-throttle-counter.ts';
import { createThrottles, type Throttles } from './throttles.ts';

type RunCaller = Parameters<Throttles['takeRun']>[0];

let now = 1000;
const minute = { limit: 2, windowMs: 60_000 };
const hour = { limit: 3, windowMs: 3_600_000 };
const many = { limit: 5, windowMs: 60_000 };
const tables = [
  { limit: 4, windowMs: 60_000 },
  { limit: 6, windowMs: 3_600_000 },
];

function throttles() {
  return createThrottles({
    counter: createMemoryThrottleCounter(() => now),
    rates: {
      general: [minute, hour],
      symbolSets: [many],
      textRepr: [many],
      summarization: [many],
      translation: [minute],
      materialized: tables,
    },
    exemptProjects: [8],
  });
}

async function outcome(work: Promise<void>): Promise<unknown> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: { retryAfterS: number } };
    return [code, message, details.retryAfterS];
  }
}

describe('how often a key may call (contract/orgs-errors 1.6)', () => {
  test('up to the rate, and again when the window is over; the reply names the time', async () => {
    const limits = throttles();
    const call = () => outcome(limits.take('k', 5, undefined));
    expect([await call(), await call()]).toEqual(['ok', 'ok']);
    now += 58_500;
    expect(await call()).toEqual(['throttled', 'Request was throttled. Expected available in 2 seconds.', 2]);
    now += 1_000;
    expect(await call()).toEqual(['throttled', 'Request was throttled. Expected available in 1 second.', 1]);
    now += 500;
    expect(await call()).toBe('ok');
    // The refused call did not count for the hour, so this is its third call.
    now += 60_000;
    expect(await call()).toEqual(['throttled', expect.stringContaining('in 3480 seconds'), 3480]);
  });

  test('keys count for themselves, symbol sets too, and calls about exempt projects not at all', async () => {
    const limits = throttles();
    const take: typeof limits.take = (...call) => limits.take(...call);
    const calls = [take('k', 5, undefined), take('k', null, undefined), take('l', 5, undefined)];
    calls.push(
      ...Array.from({ length: 5 }, () => take('k', 5, 'symbol_sets')),
      ...Array.from({ length: 9 }, () => take('k', 8, undefined)),
    );
    for (const call of calls) expect(await outcome(call)).toBe('ok');
    expect(await outcome(take('k', 5, undefined))).toContain('throttled');
    expect(await outcome(take('k', 5, 'symbol_sets'))).toContain('throttled');
  });

  test('runs that a table answers have rates of their own, beside those of all other calls (contract/endpoints 4.6)', async () => {
    const limits = throttles();
    const caller = { keyHash: 'k' } as RunCaller['caller'];
    const run = async (kind: 'general' | 'materialized', by: Partial<RunCaller> = {}): Promise<unknown> =>
      (await outcome(limits.take('k', 5, 'runs'))) === 'ok'
        ? await outcome(limits.takeRun({ caller, project: { id: 5 } as RunCaller['project'], ...by }, kind))
        : 'too many';
    for (const kind of ['general', 'materialized', 'general', 'materialized', 'materialized'] as const)
      expect(await run(kind)).toBe('ok');
    // Other calls of the key count with its runs of queries.
    expect(await outcome(limits.take('k', 5, undefined))).toContain('throttled');
    // The sixth call of both kinds, which is refused, is the last that both together allow.
    expect(await run('general')).toContain('throttled');
    expect(await run('materialized')).toBe('too many');
    const token = { id: 't' } as NonNullable<RunCaller['runToken']>;
    expect(
      await outcome(limits.takeRun({ caller, project: { id: 5 } as RunCaller['project'], runToken: token }, 'general')),
    ).toBe('ok');
  });

  test('as many runs of a table as its rate says', async () => {
    const limits = throttles();
    const caller = { caller: { keyHash: 'k' }, project: { id: 5 } } as RunCaller;
    for (let time = 0; time < 4; time++) expect(await outcome(limits.takeRun(caller, 'materialized'))).toBe('ok');
    expect(await outcome(limits.takeRun(caller, 'materialized'))).toContain('throttled');
    expect(await outcome(limits.takeRun({ ...caller, project: { id: 8 } } as RunCaller, 'materialized'))).toBe('ok');
  });
});
