import { describe, expect, test } from '@jest/globals';
import { createMetrics } from '@millrace/runtime/operations/metrics.ts';
import { createSquashMetrics } from './squash-metrics.ts';
import { runSquashJob } from './squash-job.ts';

const hourMs = 3_600_000;

/** Looks three times at a ClickHouse that counts this, and answers how often squashing failed for want of a Postgres. */
async function polls(
  counted: { overrides: number; old: number; oldest_ms: number } | Error,
): Promise<{ tries: number; metrics: string }> {
  const registry = createMetrics('consumer');
  const stopping = new AbortController();
  let looked = 0;
  let tries = 0;
  await runSquashJob(
    {
      clickhouse: {
        run: () => Promise.resolve(),
        rows: () => {
          if (++looked === 3) stopping.abort();
          return counted instanceof Error ? Promise.reject(counted) : Promise.resolve([counted as never]);
        },
        close: () => Promise.resolve(),
      },
      postgresUrl: 'postgres://nobody@127.0.0.1:1/none',
      ageMs: 24 * hourMs,
      everyMs: 24 * hourMs,
      checkEveryMs: 1,
      logger: { info: () => undefined, warn: () => void (tries += 1) },
      metrics: createSquashMetrics(registry),
    },
    stopping.signal,
  );
  return { tries, metrics: await registry.metrics() };
}

describe('the job that squashes overrides', () => {
  test('waits until the oldest override has had its time, or until old ones are many', async () => {
    expect(await polls({ overrides: 0, old: 0, oldest_ms: 0 })).toMatchObject({ tries: 0 });
    expect(await polls({ overrides: 9, old: 5, oldest_ms: 47 * hourMs })).toMatchObject({ tries: 0 });
    expect(await polls({ overrides: 9, old: 5, oldest_ms: 49 * hourMs })).toMatchObject({ tries: 3 });
    expect(await polls({ overrides: 200_000, old: 100_000, oldest_ms: 25 * hourMs })).toMatchObject({ tries: 3 });
  });

  test('reports the number of overrides, and continues after an error', async () => {
    expect((await polls({ overrides: 9, old: 0, oldest_ms: 0 })).metrics).toContain(
      'millrace_consumer_person_overrides{service="consumer"} 9',
    );
    const failed = await polls(new Error('away'));
    expect(failed.tries).toBe(3);
    expect(failed.metrics).toContain('millrace_consumer_squash_failures_total{service="consumer"} 3');
  });
});
