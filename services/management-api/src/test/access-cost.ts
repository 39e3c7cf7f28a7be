// How much CPU the check of a key and its scope takes when the caller is cached (npm run bench -- management): the very
// parts that the service is built of, asked many times, with nothing else in the process.
import { createPool } from '@millrace/postgres/pool.ts';
import { systemClock } from '@millrace/runtime/clock.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { createAccessControl } from '../auth/access-control.ts';
import { openThrottles } from '../auth/open-throttles.ts';
import { settings } from '../config.ts';
import { createChangeFeed } from '../changes/change-feed.ts';

const warm = 20_000;
const checks = 100_000;

async function measure(databaseUrl: string, key: string, organizationId: string): Promise<number> {
  const config = readConfig(settings, {
    DATABASE_URL: databaseUrl,
    CLICKHOUSE_URL: 'http://127.0.0.1:1',
    CLICKHOUSE_TENANT_PASSWORD: 'unused',
    CLICKHOUSE_TOKEN_SECRET: 'unused-unused-unused',
  });
  const pool = createPool(databaseUrl, { applicationName: 'access-cost', max: 2, onError: () => undefined });
  const logger = createLogger('access-cost', 'error');
  const changes = createChangeFeed(config, logger);
  const { counter, throttles } = openThrottles(config, logger);
  const access = createAccessControl({ pool, changes, clock: systemClock, logger, counter, throttles });
  await changes.part.start?.();
  const route = {
    access: { scope: 'organization_member:read' },
    path: '/api/organizations/:organization_id/members',
  } as const;
  const check = async (times: number): Promise<void> => {
    for (let index = 0; index < times; index++) {
      // New objects each time, as in a request.
      await access.authorize(route, {
        authorization: `Bearer ${key}`,
        params: { organization_id: organizationId },
        query: {},
        inBody: () => Promise.resolve(undefined),
      });
    }
  };
  await check(warm);
  const before = process.cpuUsage();
  await check(checks);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / checks;
}

process.once(
  'message',
  ({ databaseUrl, key, organizationId }: Record<'databaseUrl' | 'key' | 'organizationId', string>) => {
    measure(databaseUrl, key, organizationId).then(
      (cpuUs) => process.send?.({ cpuUs }),
      (error: unknown) => {
        throw error;
      },
    );
  },
);
process.on('disconnect', () => process.exit(0));
