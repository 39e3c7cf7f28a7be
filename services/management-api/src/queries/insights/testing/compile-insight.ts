import { prepareStatement } from '@millrace/query-language/compile.ts';
import { checkedDefinition } from '../definition/checked-definition.ts';
import { insightRowsMax, type InsightKind } from '../insight-kind.ts';
import type { RunOptions } from './run-insight.ts';

/** SQL of a definition, which is not asked. @throws {AppError | QueryError} what saving it refuses */
export function compileInsight(
  kind: InsightKind,
  definition: Readonly<Record<string, unknown>>,
  { nowMs = Date.UTC(2025, 0, 20), timeZone = 'UTC', testAccounts = [], earliest }: RunOptions = {},
): { sql: string; params: Readonly<Record<string, unknown>> } {
  const checked = checkedDefinition({ kind: kind.kind, ...definition }, kind.schema);
  const { statement } = kind.prepare(checked as never, { nowMs, timeZone, testAccounts, earliest });
  return prepareStatement(statement()).print({ timeZone }, { rowsMax: insightRowsMax });
}
