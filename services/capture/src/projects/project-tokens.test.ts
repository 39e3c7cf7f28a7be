import { afterEach, describe, expect, test } from '@jest/globals';
import { createProjectTokens, lookupTokensMax, type ProjectLookup, type ProjectTokens } from './project-tokens.ts';

const options = {
  refreshMs: 10_000,
  unknownMs: 5_000,
  retryMs: 1_000,
  lookupMsMax: 1_000,
  onLookupFailed: () => undefined,
};

let tokens: ProjectTokens | undefined;
afterEach(() => tokens?.stop());

/** Tokens over a lookup that the test controls, and what was requested of it. */
function setUp(lookUp: ProjectLookup, changes: Partial<typeof options> = {}) {
  const requested: string[][] = [];
  tokens = createProjectTokens(
    (wanted) => {
      requested.push([...wanted]);
      return lookUp(wanted);
    },
    { ...options, ...changes },
  );
  return { tokens, requested };
}

const found =
  (projects: Record<string, number>): ProjectLookup =>
  (wanted) =>
    Promise.resolve(new Map(wanted.flatMap((one) => (one in projects ? [[one, projects[one] as number]] : []))));

async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 5_000; !holds();) {
    if (Date.now() > deadline) throw new Error('it did not come true in time');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('project tokens (contract/capture 1.6)', () => {
  test('is in memory after the first lookup, whether it names a project or not', async () => {
    const { tokens: all, requested } = setUp(found({ a: 1 }));
    expect(all.known('a')).toBeUndefined();
    expect(await all.resolve('a')).toBe(1);
    expect(await all.resolve('x')).toBe('unknown');
    expect([all.known('a'), all.known('x')]).toEqual([1, 'unknown']);
    expect([await all.resolve('a'), await all.resolve('x')]).toEqual([1, 'unknown']);
    expect(requested).toEqual([['a'], ['x']]);
  });

  test('many concurrent requests share lookups', async () => {
    const { tokens: all, requested } = setUp(found({ a: 1, b: 2 }));
    expect(await Promise.all(['a', 'a', 'b', 'x', 'b'].map((one) => all.resolve(one)))).toEqual([
      1,
      1,
      2,
      'unknown',
      2,
    ]);
    expect(requested).toEqual([['a'], ['b', 'x']]);
  });

  test('a flood of invented tokens goes in bounded lookups', async () => {
    const { tokens: all, requested } = setUp(found({}));
    await Promise.all(Array.from({ length: 2_500 }, (_, index) => all.resolve(`t${index}`)));
    expect(requested.length).toBeLessThanOrEqual(4);
    expect(Math.max(...requested.map((wanted) => wanted.length))).toBeLessThanOrEqual(lookupTokensMax);
  });

  test('a new project works as soon as the memory of its absence is over', async () => {
    const projects: Record<string, number> = {};
    const { tokens: all } = setUp((wanted) => found(projects)(wanted), { unknownMs: 30 });
    expect(await all.resolve('a')).toBe('unknown');
    projects['a'] = 1;
    await until(() => all.known('a') === undefined);
    expect(await all.resolve('a')).toBe(1);
  });

  test('a deleted project is unknown after the next refresh', async () => {
    const projects: Record<string, number> = { a: 1, b: 2 };
    const { tokens: all } = setUp((wanted) => found(projects)(wanted), { refreshMs: 20 });
    await all.start();
    await all.resolve('a');
    await all.resolve('b');
    delete projects['a'];
    await until(() => all.known('a') === 'unknown');
    expect(all.known('b')).toBe(2);
  });

  test('when lookups fail, known tokens stay, new ones are unverified, and not each request tries again', async () => {
    let away = false;
    const { tokens: all, requested } = setUp(
      (wanted) => (away ? Promise.reject(new Error('away')) : found({ a: 1, b: 2 })(wanted)),
      { refreshMs: 20, retryMs: 60_000 },
    );
    await all.start();
    expect(await all.resolve('a')).toBe(1);
    away = true;
    expect(await Promise.all(['b', 'c', 'd'].map((one) => all.resolve(one)))).toEqual([
      'unverified',
      'unverified',
      'unverified',
    ]);
    const calls = requested.length;
    expect(all.known('e')).toBe('unverified');
    expect(await all.resolve('b')).toBe('unverified');
    expect(requested.length - calls).toBeLessThanOrEqual(1);
    expect(all.known('a')).toBe(1);
    expect(all.unhealthyReason()).toBeNull();
  });

  test('a lookup that hangs counts as failed', async () => {
    const { tokens: all } = setUp(() => new Promise(() => undefined), { lookupMsMax: 20 });
    expect(await all.resolve('a')).toBe('unverified');
    expect(all.counts()).toMatchObject({ lookups: 1, failedLookups: 1 });
  });

  test('before the first working lookup the tokens are unhealthy, and recover by themselves', async () => {
    let away = true;
    const { tokens: all } = setUp((wanted) => (away ? Promise.reject(new Error('away')) : found({})(wanted)), {
      retryMs: 20,
    });
    await all.start();
    expect(all.unhealthyReason()).toMatch(/lookup/);
    away = false;
    await until(() => all.unhealthyReason() === null);
  });
});
