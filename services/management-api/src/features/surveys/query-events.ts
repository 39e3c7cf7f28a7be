import { AppError } from '@millrace/http/errors/errors.ts';
import { compileQuery, type PlaceholderValues } from '@millrace/query-language/compile.ts';
import type { Context } from '../../context.ts';
import { queryRows } from '../../queries/execute/query-rows.ts';

/**
 * The rows that one of our own queries finds among a project's events. `values` are those of its `{x}`.
 * @throws {AppError} one of `queryErrors`; unavailable when the engine cannot be reached
 */
export async function queryEvents<Row>(
  { tenantEngine, resultRowsMax }: Pick<Context, 'tenantEngine' | 'resultRowsMax'>,
  {
    text,
    values,
    teamId,
    organizationId,
    keyId,
    signal,
  }: {
    text: string;
    values: NonNullable<PlaceholderValues['values']>;
    teamId: number;
    organizationId: string;
    keyId: string;
    signal: AbortSignal;
  },
): Promise<Row[]> {
  const compiled = compileQuery({ text, values, rowsMax: resultRowsMax });
  const rows = await queryRows<Row>(tenantEngine, compiled, { teamId, organizationId, keyId, signal });
  if (rows.length > compiled.rowLimit) throw new AppError('query_result_too_large');
  return rows;
}
