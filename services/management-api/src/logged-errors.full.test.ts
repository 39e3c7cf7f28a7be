import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { openOptionalRedis } from '@millrace/runtime/optional-redis.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startRedis } from './test/start-redis.ts';

// Redis' part of logged-errors.integration.test.ts: commands hang on its errors, and AUTH is one.

let redis: Awaited<ReturnType<typeof startRedis>>;
beforeAll(async () => {
  redis = await startRedis();
  execFileSync('redis-cli', ['-u', redis.url, 'config', 'set', 'requirepass', 'right']);
});
afterAll(() => redis.stop());

test.each(['S3cr3t-of-nobody', ''])('a wrong password of Redis (%j) is logged without it', async (password) => {
  let line = '';
  const logger = createLogger('tested', 'warn', { destination: { write: (text) => void (line += text) } });
  const address = new URL(redis.url);
  address.password = password;
  const opened = openOptionalRedis(address.href, { connectionName: 'test', logger, withoutIt: 'nothing is kept' });
  await eventually(async () => {
    await opened.run((client) => client.set('a', 'S3cr3t'));
    expect(line).toMatch(/WRONGPASS|NOAUTH/);
  });
  opened.close();
  expect(line).not.toContain('S3cr3t');
  expect(Object.keys((JSON.parse(line) as { err: object }).err).sort()).toEqual(['message', 'stack', 'type']);
});
