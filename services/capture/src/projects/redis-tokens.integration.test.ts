import { afterEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startRedisOfTest, type RedisOfTest } from '../test/redis-of-test.ts';
import type { ProjectLookup } from './project-tokens.ts';
import { createSharedTokens, type SharedTokens } from './redis-tokens.ts';

const logger = createLogger('test', 'silent');
let redis: RedisOfTest | undefined;
const opened: SharedTokens[] = [];
afterEach(async () => {
  for (const shared of opened.splice(0)) shared.close();
  await redis?.close();
});

/** A process of capture: its lookup, and what reached the database. */
function process(url: string, projects: Record<string, number>) {
  const requested: string[][] = [];
  const shared = createSharedTokens(url, { knownMs: 60_000, unknownMs: 5_000, logger });
  opened.push(shared);
  const lookUp: ProjectLookup = (tokens) => {
    requested.push([...tokens]);
    return Promise.resolve(
      new Map(tokens.flatMap((token) => (token in projects ? [[token, projects[token] as number]] : []))),
    );
  };
  return { lookUp: shared.inFrontOf(lookUp), requested };
}

const key = (token: string): string => `millrace:token:${token}`;

describe('tokens that processes share over Redis (contract/capture 1.6)', () => {
  test('what one process looked up, another need not: projects, and that there is none', async () => {
    redis = await startRedisOfTest();
    const { values, lives, url } = redis;
    const [first, second] = [process(url, { a: 1 }), process(url, {})];
    await eventually(async () => {
      await first.lookUp(['a', 'x']);
      expect(values.size).toBe(2);
    });
    expect([lives.get(key('a')), lives.get(key('x'))]).toEqual([60_000, 5_000]);
    await eventually(async () => {
      second.requested.length = 0;
      expect([...(await second.lookUp(['a', 'x']))]).toEqual([['a', 1]]);
      expect(second.requested).toEqual([]);
    });
  });

  test('a value that another program wrote under the key of a token is ignored', async () => {
    redis = await startRedisOfTest();
    const { values, url, commands } = redis;
    const { lookUp } = process(url, { a: 1 });
    for (const strange of ['', 'NaN', '-1', '1.5', '{"id":2}']) {
      await eventually(async () => {
        values.set(key('a'), strange);
        commands.length = 0;
        expect([...(await lookUp(['a']))]).toEqual([['a', 1]]);
        expect(commands).toContain('MGET');
      });
    }
  });

  test('fresh values come from the database; all processes are notified of a deleted project', async () => {
    redis = await startRedisOfTest();
    const { values, url } = redis;
    values.set(key('a'), '1').set(key('b'), '2');
    const { lookUp, requested } = process(url, { b: 2 });
    await eventually(async () => {
      expect([...(await lookUp(['a', 'b'], true))]).toEqual([['b', 2]]);
      expect(values.get(key('a'))).toBe('none');
    });
    expect(requested[0]).toEqual(['a', 'b']);
    expect(values.get(key('b'))).toBe('2');
  });

  test('a Redis that is away is none: the database answers', async () => {
    const { lookUp } = process('redis://127.0.0.1:1', { a: 1 });
    expect([...(await lookUp(['a']))]).toEqual([['a', 1]]);
  });

  test('a Redis that hangs costs a tenth of a second, once; then it is left alone', async () => {
    redis = await startRedisOfTest();
    const { commands, url } = redis;
    const { lookUp } = process(url, { a: 1 });
    await eventually(async () => {
      await lookUp(['a']);
      expect(commands).toContain('MGET');
    });
    redis.hang();
    const requested = performance.now();
    // A tenth of a second each, if each waited for it: 5 s.
    for (let times = 0; times < 50; times++) expect([...(await lookUp([`b${times}`]))]).toEqual([]);
    expect([...(await lookUp(['a'], true))]).toEqual([['a', 1]]);
    expect(performance.now() - requested).toBeLessThan(4_000);
  });

  test('a database that fails is a failure, with or without Redis', async () => {
    redis = await startRedisOfTest();
    const shared = createSharedTokens(redis.url, { knownMs: 1, unknownMs: 1, logger });
    opened.push(shared);
    await expect(shared.inFrontOf(() => Promise.reject(new Error('away')))(['a'])).rejects.toThrow('away');
  });
});
