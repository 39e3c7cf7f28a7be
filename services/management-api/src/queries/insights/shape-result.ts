import type { EngineResult } from '../result/result-bytes.ts';
import type { InsightResult, Row } from './insight-kind.ts';

/** Results of an insight in the place of the engine's rows. */
export interface ShapedResult {
  result: EngineResult;
  hasMore: boolean;
  /** Rows that the query itself asks for; of tables alone. */
  page?: { limit: number; offset: number };
}

/** Results of the rows that the engine sent. Those of a table have columns, and are objects where that is asked for. Pure. @throws {AppError} as `shape` does */
export function shapeResult(
  { rows }: EngineResult,
  shape: (rows: readonly Row[]) => InsightResult,
  asObjects: boolean,
): ShapedResult {
  const { results, hasMore, table } = shape(JSON.parse(`[${Buffer.from(rows).toString()}]`) as Row[]);
  if (table === undefined)
    return {
      result: { rows: Buffer.from(JSON.stringify(results)), rowCount: Array.isArray(results) ? results.length : 1 },
      hasMore,
    };
  const lists = results as Row[];
  const shown = asObjects
    ? lists.map((row) => Object.fromEntries(table.columns.map((name, at) => [name, row[at]])))
    : lists;
  const columns = table.columns.map((name, at) => ({ name, ...(!asObjects && { type: table.types[at]?.[1] ?? '' }) }));
  const text = shown.map((row) => JSON.stringify(row)).join(',\n');
  const { limit, offset } = table;
  return { result: { columns, rows: Buffer.from(text), rowCount: lists.length }, hasMore, page: { limit, offset } };
}
