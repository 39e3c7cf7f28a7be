import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ReplySink } from '@millrace/http/replies/reply.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { noNames } from '@millrace/query-language/schema/learned-names.ts';
import { createMemoryResultCache } from '../../../queries/cache/result-cache.ts';
import { createSingleFlight } from '../../../queries/cache/single-flight.ts';
import { prepareEndpointQuery } from '../../../queries/compile/compile-query.ts';
import type { PreparedTable } from '../../../queries/compile/prepare-table.ts';
import type { TenantEngine } from '../../../queries/execute/tenant-engine.ts';
import type { RunPath } from '../../../queries/log/run-record.ts';
import { compactAnswer, templateAnswer } from '../../../test/engine-answers.ts';
import type { RunnableMaterialization, RunnableVersion } from '../store/runnable-endpoint.ts';
import { getOrComputeResult, type GoodRun } from './get-or-compute-result.ts';
import { streamByPath } from './stream-by-path.ts';

// No run fails because of its table, and none shows rows that are older than it (contract/endpoints 0.8, 4.7, 6.5).
type Sent = Parameters<TenantEngine['run']>[0];
/** Queries that the engine got. */
let sent: Sent[];
/** Paths of the attempts of the runs. */
let paths: RunPath[];
let reported: unknown[];
let nowMs: number;
beforeEach(() => {
  sent = [];
  paths = [];
  reported = [];
  nowMs = 100_000;
});

const version = (table: RunnableMaterialization['table']): RunnableVersion =>
  ({
    id: 'v',
    version: 1,
    dataFreshnessSeconds: 900,
    materialization: { table, isHibernated: false },
  }) as RunnableVersion;
const table = { name: 't', builtAtMs: 40_000 } as NonNullable<RunnableMaterialization['table']>;
const isOfTable = ({ params }: Pick<Sent, 'params'>): boolean => Object.values(params).includes('table');

function runOf({ emptyMeansInline = false, readsTable = true, signal = new AbortController().signal } = {}): GoodRun {
  const prepared: PreparedTable = {
    ...prepareEndpointQuery("SELECT 'table'", [], {}),
    serves: () => true,
    emptyMeansInline,
  };
  return {
    teamId: 1,
    organizationId: 'o',
    keyId: 'k',
    executionId: 'e',
    signal,
    values: {},
    queryContext: { timeZone: 'UTC', testAccounts: [] },
    prepared: prepareEndpointQuery("SELECT 'query'", [], {}),
    request: { limit: undefined, offset: undefined, refresh: 'cache' },
    version: version(table),
    readTable: readsTable ? { table, prepared } : undefined,
    onPath: (path) => paths.push(path),
  };
}

/** An engine whose table has so many rows, or fails. */
const partsWith = (tableRows: number | Error) => ({
  results: createMemoryResultCache(1_000_000),
  computations: createSingleFlight<never>(),
  tenantEngine: {
    run(query: Sent) {
      sent.push(query);
      if (!isOfTable(query)) return Promise.resolve(compactAnswer(1));
      return tableRows instanceof Error ? Promise.reject(tableRows) : Promise.resolve(compactAnswer(tableRows));
    },
  } as TenantEngine,
  projectNames: {
    of: () => Promise.resolve(noNames),
    newest: () => Promise.resolve(noNames),
    haveCome: () => Promise.resolve(false),
    invalidate: () => undefined,
  },
  resultRowsMax: 10,
  clock: { nowMs: () => nowMs },
  brokenTables: { report: (error: unknown) => void reported.push(error) },
});

describe('a run of a table', () => {
  test('has the rows of the table, as old as it', async () => {
    const served = await getOrComputeResult(partsWith(1), runOf());
    expect(served).toMatchObject({ path: 'materialized', result: { atMs: table.builtAtMs } });
    expect([paths, sent.length]).toEqual([['materialized'], 1]);
  });

  test.each<[string, number | Error, Parameters<typeof runOf>[0], RunPath]>([
    ['that has no row for it', 0, { emptyMeansInline: true }, 'inline'],
    ['that fails', new AppError('error'), {}, 'materialized_fallback'],
    ['that takes too long', new AppError('query_timeout'), {}, 'materialized_fallback'],
  ])('%s asks the query, which has an id of its own', async (_which, rows, more, path) => {
    const served = await getOrComputeResult(partsWith(rows), runOf(more));
    expect([served.path, served.result.result.rowCount]).toEqual([path, 1]);
    expect(paths).toEqual(['materialized', path]);
    expect(sent.map(isOfTable)).toEqual([true, false]);
    // ClickHouse refuses an id that it has not forgotten, and may still run a query that was given up.
    expect(new Set(sent.map(({ queryId }) => queryId)).size).toBe(2);
    expect(reported).toEqual(rows instanceof Error ? [rows] : []);
  });

  test('that has no row for it counts what both queries read', async () => {
    const { result } = await getOrComputeResult(partsWith(0), runOf({ emptyMeansInline: true }));
    expect(result).toMatchObject({ read: { rows: 2, bytes: 2, seconds: 0.002 } });
  });

  test.each(['throttled', 'query_capacity', 'query_cancelled'] as const)(
    'that fails by %s fails, and its path is that of the table',
    async (code) => {
      await expect(getOrComputeResult(partsWith(new AppError(code)), runOf())).rejects.toMatchObject({ code });
      expect([paths, sent.length, reported]).toEqual([['materialized'], 1, []]);
    },
  );

  test('that was left by its caller does not ask the query', async () => {
    const signal = AbortSignal.abort(new Error('left'));
    await expect(getOrComputeResult(partsWith(new AppError('error')), runOf({ signal }))).rejects.toThrow('left');
    expect(sent.filter((query) => !isOfTable(query))).toEqual([]);
  });
});

test('a cached result of the query that is older than the table is not served', async () => {
  const parts = partsWith(1);
  const inline = runOf({ readsTable: false });
  const again = async (): Promise<boolean> => (await getOrComputeResult(parts, inline)).isCached;
  nowMs = table.builtAtMs - 1;
  expect([await again(), await again()]).toEqual([false, false]);
  nowMs = table.builtAtMs;
  expect([await again(), await again()]).toEqual([false, true]);
});

describe('a stream of a table', () => {
  /** An engine whose stream of the table fails before its first row, or after it. */
  async function streamed({ failsAfterRows, ...more }: { failsAfterRows: boolean; emptyMeansInline?: boolean }) {
    const begun: Record<string, string>[] = [];
    const sink: ReplySink = {
      begin: (headers) => void begun.push({ ...headers }),
      write: () => Promise.resolve(),
      end: () => undefined,
    };
    const tenantEngine = {
      async stream(query: Parameters<TenantEngine['stream']>[0], read: (bytes: AsyncIterable<Buffer>) => unknown) {
        sent.push(query);
        if (isOfTable(query) && !failsAfterRows) throw new AppError('error');
        const bytes = async function* () {
          yield templateAnswer(query.form);
          if (isOfTable(query)) throw await Promise.resolve(new AppError('error'));
        };
        return await read(bytes());
      },
    } as unknown as TenantEngine;
    const run = {
      ...runOf(more),
      format: 'ndjson' as const,
      isOfToken: false,
      facts: { name: 'n', endpoint_version: 1 },
    };
    const request = { limit: undefined, offset: undefined, isRawCsv: false };
    const parts = { ...partsWith(1), tenantEngine, streamRowsMax: 10 };
    const outcome = await streamByPath(parts, { ...run, request }, sink).catch((error: unknown) => error);
    return { outcome, begun };
  }

  test('that is gone has the rows of the query, whose query has an id of its own', async () => {
    const { outcome, begun } = await streamed({ failsAfterRows: false });
    expect(outcome).toMatchObject({ path: 'materialized_fallback', rows: 1 });
    expect(begun).toMatchObject([{ 'x-age-seconds': '0', 'x-execution-id': 'e' }]);
    expect([paths, reported.length]).toEqual([['materialized', 'materialized_fallback'], 1]);
    expect(new Set(sent.map(({ queryId }) => queryId)).size).toBe(2);
  });

  test('that fails after its first row is cut, and does not begin again', async () => {
    const { outcome, begun } = await streamed({ failsAfterRows: true });
    expect(outcome).toBeInstanceOf(AppError);
    expect(begun).toMatchObject([{ 'x-age-seconds': '60' }]);
    expect([paths, sent.length, reported]).toEqual([['materialized'], 1, []]);
  });

  test('goes to the query where a table without a row does not answer', async () => {
    const { outcome } = await streamed({ failsAfterRows: false, emptyMeansInline: true });
    expect([outcome, paths]).toMatchObject([{ path: 'inline' }, ['inline']]);
  });
});
