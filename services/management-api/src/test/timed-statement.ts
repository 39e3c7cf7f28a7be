import { compileQuery } from '@millrace/query-language/compile.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import type { TestTenant } from './tenant.ts';

/** Seconds that a statement with a limit of one second may take on a slow machine; unbounded ones take minutes. */
export const secondsMax = 15;

/** Runs a statement as a user's query with a limit of one second. The answer is `refused: …` by the compiler, `failed: …` in the engine, or rows. */
export async function runTimed(
  tenant: TestTenant,
  teamId: number,
  text: string,
): Promise<{ reply: string; seconds: number }> {
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1000;
  try {
    const { sql, params } = compileQuery({ text, rowsMax: 100 });
    // Tenants share 1 GB: with all of it, this one would end the queries of suites that run beside it.
    const settings = { max_execution_time: 1, max_memory_usage: '400000000', max_result_rows: '100000' };
    const response = await tenant.send(teamId, { sql: `${sql}\nFORMAT TSV`, params }, settings);
    return { reply: response.trim(), seconds: seconds() };
  } catch (error) {
    return { reply: `${error instanceof QueryError ? 'refused' : 'failed'}: ${String(error)}`, seconds: seconds() };
  }
}
