// Measures the cost of every allowed function as its arguments grow, on the local ClickHouse: node scripts/measure-functions.ts
// Writes packages/query-language/src/functions/function-costs.ts. Takes a few minutes of one core.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildUsersXml } from '../packages/clickhouse/src/users/users-document.ts';
import { startClickhouse } from '../packages/engines/src/clickhouse.ts';
import { functionCases, type FunctionCase } from '../packages/query-language/src/testing/function-cases.ts';

const password = 'measurement-of-functions';
const secrets = {
  admin: password,
  writer: password,
  tenant: password,
  materializer: password,
  maintainer: password,
  recorder: password,
  tokenSecret: password,
};
const enoughMs = 50;
const sizeMax = { scalar: 1_000_000, aggregate: 2_000_000, window: 500_000 };

/** The engine's measurements and answers. */
interface Engine {
  /** Milliseconds of processor that it takes; undefined when the engine refuses it. */
  cost: (sql: string) => Promise<number | undefined>;
  /** The number that it gives, 0 when the engine refuses it. */
  number: (expression: string) => Promise<number>;
}

interface Measured {
  /** Nanoseconds for each byte, item or row at the largest size. */
  nanoseconds: number;
  /** The exponent: 1 is linear. */
  growth: number;
  /** Bytes of the result for each of the size. */
  made: number;
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-measure-'));
  const server = await startClickhouse({
    dataDir,
    usersDocument: buildUsersXml({ secrets, tables: [], from: 'loopback' }),
    login: { user: 'admin', password },
    memoryBytesMax: 4_000_000_000,
  });
  try {
    const engine = engineAt(server.url);
    const lines: string[] = [];
    for (const found of functionCases()) {
      const line = await lineOf(found, engine);
      process.stdout.write(`${line}\n`);
      lines.push(line);
    }
    await writeFile(
      new URL('../packages/query-language/src/functions/function-costs.ts', import.meta.url),
      fileOf(lines),
    );
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function engineAt(url: string): Engine {
  const headers = { authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` };
  const settings = 'max_threads=1&max_memory_usage=1000000000&max_execution_time=20&wait_end_of_query=1';
  const run = async (sql: string): Promise<{ result: string; ms: number } | undefined> => {
    const reply = await fetch(`${url}/?${settings}`, { method: 'POST', headers, body: sql });
    const result = await reply.text();
    const summary = JSON.parse(reply.headers.get('x-clickhouse-summary') ?? '{}') as { elapsed_ns?: string };
    return reply.ok ? { result, ms: Number(summary.elapsed_ns ?? 0) / 1e6 } : undefined;
  };
  const spent = async (): Promise<number> =>
    Number(
      (
        await run(
          "SELECT sum(value) FROM system.events WHERE event IN ('UserTimeMicroseconds', 'SystemTimeMicroseconds')",
        )
      )?.result,
    );
  return {
    async cost(sql) {
      const before = await spent();
      const reply = await run(sql);
      if (reply === undefined) return undefined;
      const spentMs = ((await spent()) - before) / 1e3;
      // A thread that has not reported its time yet counts for nothing.
      return spentMs > reply.ms / 4 ? Math.min(spentMs, reply.ms) : reply.ms;
    },
    number: async (expression) => Number((await run(`SELECT toFloat64(${expression}) FROM numbers(1)`))?.result ?? 0),
  };
}

// More than linear: dear at sizes at which nothing linear is.
async function lineOf({ name, kind, calls }: FunctionCase, engine: Engine): Promise<string> {
  const all: Measured[] = [];
  for (const call of calls) {
    const measured = await measureFirst(call, kind, engine);
    if (measured) all.push(measured);
  }
  if (all.length === 0) throw new Error(`No call of ${name} runs: write one in function-cases.ts`);
  const growth = Math.max(...all.map((one) => one.growth));
  const made = Math.max(...all.map((one) => one.made));
  const nanoseconds = Math.max(...all.map((one) => one.nanoseconds));
  const steep = all.some((one) => (one.growth > 1.4 && one.nanoseconds > 500) || one.nanoseconds > 3_000);
  return `${kind} ${name} ${steep ? 'steep' : 'linear'} ${growth.toFixed(1)} ${Math.ceil(nanoseconds)} ${made.toFixed(1)}`;
}

async function measureFirst(
  calls: readonly string[],
  kind: FunctionCase['kind'],
  engine: Engine,
): Promise<Measured | undefined> {
  for (const call of calls) {
    const sql = (n: number): string => statementOf(call.replaceAll('{n}', String(n)), kind, n);
    if ((await engine.cost(sql(4))) === undefined) continue;
    const first = await measure(sql, kind, engine, enoughMs);
    // Caches that end at a size look steep for a while.
    const { n, ...rest } =
      first.growth > 1.4 && first.nanoseconds > 300 ? await measure(sql, kind, engine, enoughMs * 10) : first;
    return {
      ...rest,
      made: kind === 'scalar' ? (await engine.number(`byteSize(${call.replaceAll('{n}', String(n))})`)) / n : 0,
    };
  }
  return undefined;
}

function statementOf(call: string, kind: FunctionCase['kind'], n: number): string {
  const rows = kind === 'scalar' ? 'numbers(1)' : `numbers(${n})`;
  return kind === 'window'
    ? `SELECT max(w) FROM (SELECT ${call} AS w FROM ${rows}) FORMAT Null`
    : `SELECT ignore(${call}) FROM ${rows} FORMAT Null`;
}

async function measure(
  sql: (n: number) => string,
  kind: FunctionCase['kind'],
  engine: Engine,
  untilMs: number,
): Promise<Omit<Measured, 'made'> & { n: number }> {
  const base = (await least(sql(1), engine)) ?? 0;
  const times: { n: number; ms: number }[] = [];
  for (let n = 1_000; n <= sizeMax[kind]; n *= 2) {
    const ms = await least(sql(n), engine);
    if (ms === undefined) break;
    times.push({ n, ms: Math.max(0.01, ms - base) });
    if (ms - base > untilMs) break;
  }
  const last = times[times.length - 1] ?? { n: 1, ms: 0 };
  const before = times[times.length - 3];
  const growth = before && last.ms > 8 ? Math.log2(last.ms / before.ms) / 2 : 1;
  return { n: last.n, nanoseconds: (last.ms * 1e6) / last.n, growth: Math.max(0, growth) };
}

async function least(sql: string, engine: Engine): Promise<number | undefined> {
  const first = await engine.cost(sql);
  if (first === undefined || first > 200) return first;
  const second = (await engine.cost(sql)) ?? first;
  return Math.min(first, second);
}

function fileOf(lines: readonly string[]): string {
  return `// Written by scripts/measure-functions.ts. Each line: kind, name as printed, class, greatest growth (1 is linear), nanoseconds for each byte,
// item or row at the greatest size that was tried, bytes of the result for each. A class is \`linear\` or \`steep\`, which is more than linear.

/** Costs of all allowed functions, one line each. */
export const costLines = \`
${lines.map((line) => `  ${line}`).join('\n')}
\`;
`;
}

await main();
