import { prepareStatement } from '@millrace/query-language/compile.ts';
import { checkedDefinition } from '../definition/checked-definition.ts';
import {
  insightRowsMax,
  type InsightResult,
  type InsightContext,
  type InsightKind,
  type Row,
} from '../insight-kind.ts';
import type { TestTenant } from '../../../test/tenant.ts';

/** Settings of an asked insight: by default UTC, no test accounts, and a moment after the worked examples. */
export type RunOptions = Partial<InsightContext>;

/** The answer of a definition, asked as a project. @throws {AppError} as the kind does */
export async function runInsight(
  tenant: TestTenant,
  teamId: number,
  kind: InsightKind,
  definition: Readonly<Record<string, unknown>>,
  { nowMs = Date.UTC(2025, 0, 20), timeZone = 'UTC', testAccounts = [], earliest }: RunOptions = {},
): Promise<InsightResult> {
  const checked = checkedDefinition({ kind: kind.kind, ...definition }, kind.schema);
  const question = kind.prepare(checked as never, { nowMs, timeZone, testAccounts, earliest });
  const { sql, params } = prepareStatement(question.statement()).print({ timeZone }, { rowsMax: insightRowsMax });
  const text = await tenant.send(teamId, { sql: `${sql}\nFORMAT JSONCompact`, params });
  return question.shape((JSON.parse(text) as { data: Row[] }).data);
}
