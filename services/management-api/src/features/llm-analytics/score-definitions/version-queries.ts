import type { Page } from '@millrace/http/pagination.ts';
import type { PrismaClient, ScoreDefinitionVersion as Row, User } from '@millrace/postgres/generated/client.ts';
import { summarizeUser } from '../../../accounts/user-summary.ts';
import type { Static } from 'typebox';
import type { ScoreKind } from './config/score-config.ts';
import type { ScoreDefinitionVersion } from './score-definition.ts';

type Reader = Pick<PrismaClient, 'scoreDefinitionVersion'>;

/** Versions of a definition with numbers below `before`, newest first; null: all. */
export async function readVersions(
  prisma: Reader,
  { definitionId, before }: { definitionId: string; before: number | null },
  { limit, offset }: Page,
): Promise<(Row & { createdBy: User | null })[]> {
  return await prisma.scoreDefinitionVersion.findMany({
    where: { definitionId, ...(before !== null && { version: { lt: before } }) },
    include: { createdBy: true },
    orderBy: { version: 'desc' },
    take: limit,
    skip: offset,
  });
}

/** Pure. */
export function renderVersion(
  row: Row & { createdBy: User | null },
  kind: ScoreKind,
): Static<typeof ScoreDefinitionVersion> {
  return {
    id: row.id,
    definition_id: row.definitionId,
    version: row.version,
    kind,
    config: row.config as Record<string, unknown>,
    created_at: row.createdAt.toISOString(),
    created_by: summarizeUser(row.createdBy),
  };
}
