import { describe, expect, test } from '@jest/globals';
import type { QueryRequest } from '@millrace/clickhouse/query/query-connection.ts';
import { createQueryEndings } from './query-endings.ts';

const query = { queryId: 'q', teamId: 7 };
const stillRunning = Object.assign(new Error("is already running and can't be stopped"), { code: '216' });
const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** A ClickHouse that fails so, one after the other, and then answers. */
function failing(...errors: (Error | Promise<Error>)[]) {
  const requested: Pick<QueryRequest, 'queryId' | 'settings'>[] = [];
  const query = async (request: QueryRequest): Promise<Buffer> => {
    requested.push(request);
    const error = await errors[requested.length - 1];
    if (error !== undefined) throw error;
    return Buffer.alloc(0);
  };
  return { requested, connection: { query } };
}

function logging() {
  const lines: object[] = [];
  return { lines, logger: { warn: (line: object) => void lines.push(line) } };
}

describe('a query that nobody waits for', () => {
  test('is replaced by one of its name; when that works at once, nothing is logged', async () => {
    const { requested, connection } = failing();
    const { lines, logger } = logging();
    await createQueryEndings(connection, logger as never).end(query);
    expect(requested).toMatchObject([{ queryId: 'q', settings: { replace_running_query: 1 } }]);
    expect(lines).toEqual([]);
  });

  test('counts until ClickHouse does not run it any more, also while ClickHouse is away, and is logged twice', async () => {
    const { promise: last, resolve } = Promise.withResolvers<Error>();
    const { requested, connection } = failing(stillRunning, away, stillRunning, last);
    const { lines, logger } = logging();
    const endings = createQueryEndings(connection, logger as never, 1);
    const before = endings.overdue();
    const ending = endings.end(query);
    while (requested.length < 4) await new Promise((resolve) => setImmediate(resolve));
    const during = endings.overdue();
    resolve(stillRunning);
    await ending;
    expect([before, during, endings.overdue()]).toEqual([
      { count: 0, oldestSeconds: 0 },
      { count: 1, oldestSeconds: expect.any(Number) },
      { count: 0, oldestSeconds: 0 },
    ]);
    expect(during.oldestSeconds).toBeGreaterThan(0);
    expect(requested).toHaveLength(5);
    expect(lines).toEqual([
      { queryId: 'q', projectId: 7, err: stillRunning },
      { queryId: 'q', projectId: 7, seconds: expect.any(Number) },
    ]);
  });

  test('is waited for no longer than the process lives', async () => {
    const { connection } = failing(...Array<Error>(1_000).fill(stillRunning));
    const endings = createQueryEndings(connection, logging().logger as never, 60_000);
    const ending = endings.end(query);
    endings.close();
    expect(await ending).toBeUndefined();
  });
});
