import type { createClickhouse } from '@millrace/clickhouse/client.ts';
import { schemaVersion } from '@millrace/postgres/migrate.ts';
import type { createPool } from '@millrace/postgres/pool.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { HealthCheck } from '@millrace/runtime/operations/health.ts';

/** Postgres responds and has every migration of this build. */
export function postgresCheck(pool: ReturnType<typeof createPool>): HealthCheck {
  return async () => {
    const { pending } = await schemaVersion(pool);
    return pending.length === 0 ? null : `migrations to be applied: ${pending.join(', ')}`;
  };
}

const silenceMsMax = 700;

/**
 * ClickHouse responds, lets the user in, has the table of events, and opens it to these headers: its row policies know
 * the secret of this process, and its users document is of this release.
 */
export function clickhouseCheck(
  client: ReturnType<typeof createClickhouse>,
  headers: Readonly<Record<string, string>>,
): HealthCheck {
  return async () => {
    const tooLate = AbortSignal.timeout(silenceMsMax);
    try {
      const result = await client.query({
        query: 'SELECT 1 FROM analytics.events LIMIT 0',
        format: 'JSONCompact',
        abort_signal: tooLate,
        http_headers: { ...headers },
        clickhouse_settings: { allow_get_client_http_header: true },
      });
      await result.text();
      return null;
    } catch (error) {
      throw tooLate.aborted ? new Error(`no response for ${silenceMsMax / 1_000} s`, { cause: error }) : error;
    }
  };
}

/** The check, run at most once in `forMs`; calls in between get the same result. */
export function cachedCheck(check: HealthCheck, forMs: number, clock: Clock): HealthCheck {
  let reason: Promise<string | null> | undefined;
  let checkedAtMs = -Infinity;
  return () => {
    if (reason === undefined || clock.nowMs() - checkedAtMs >= forMs) {
      checkedAtMs = clock.nowMs();
      reason = Promise.resolve(check()).catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      );
    }
    return reason;
  };
}
