import { gzipSync } from 'node:zlib';
import type { createClickhouse } from '@millrace/clickhouse/client.ts';
import { delay } from '@millrace/runtime/clock.ts';
import { CliError } from '../cli-error.ts';
import type { ShopTarget } from './seed-shop.ts';
import { type ShopEvent, shopLib } from './shop-events.ts';

interface Target {
  captureUrl: string;
  projectId: number;
  projectToken: string;
  clickhouse: ReturnType<typeof createClickhouse>;
}

const pauseMs = 500;
const answerMsMax = 30_000;
const triesMax = 8;
/** Statuses of temporary errors of capture. 401 is one in the first seconds of a new token. */
const temporaryStatuses = [401, 408, 429, 500, 502, 503, 504];

/** A running system: events go to capture as those of SDKs do, and stored uuids come from ClickHouse. */
export function shopTarget({ captureUrl, projectId, projectToken, clickhouse }: Target): ShopTarget {
  return {
    async storedUuids() {
      const result = await clickhouse.query({
        query: `SELECT DISTINCT toString(uuid) FROM analytics.events
          WHERE team_id = {project: Int64} AND properties['$lib'] = {lib: String}`,
        query_params: { project: projectId, lib: shopLib },
        format: 'JSONCompactEachRow',
      });
      return (await result.json<[string]>()).map(([uuid]) => uuid);
    },
    send: (events) => post(`${captureUrl}/batch/?strict=1`, projectToken, events),
    pause: () => delay(pauseMs),
  };
}

/** Sends a batch in the format of SDKs, marked as historical. Like SDKs, tries again after a temporary error. @throws {CliError} */
async function post(url: string, token: string, batch: readonly ShopEvent[]): Promise<void> {
  const body = gzipSync(JSON.stringify({ api_key: token, historical_migration: true, batch }));
  for (let tries = 1; ; tries++) {
    const failure = await attempt(url, body);
    if (failure === null) return;
    if (!failure.passes || tries === triesMax)
      throw new CliError(`Capture at ${url} accepted no events: ${failure.reason}`);
    await delay(pauseMs * tries);
  }
}

async function attempt(url: string, body: Buffer): Promise<{ passes: boolean; reason: string } | null> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body,
      signal: AbortSignal.timeout(answerMsMax),
    });
    const text = await reply.text();
    return reply.ok ? null : { passes: temporaryStatuses.includes(reply.status), reason: `${reply.status} ${text}` };
  } catch {
    return { passes: true, reason: 'nothing listens there, or it did not respond for half a minute' };
  }
}
