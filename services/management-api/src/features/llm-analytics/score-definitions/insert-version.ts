import type { Prisma } from '@millrace/postgres/generated/client.ts';
import type { ScoreConfig } from './config/score-config.ts';

/** Adds a version of a definition. Its number must be the next one. */
export async function insertVersion(
  prisma: Prisma.TransactionClient,
  version: { id: string; definitionId: string; version: number; createdById: number; createdAt: Date },
  config: ScoreConfig,
): Promise<void> {
  await prisma.scoreDefinitionVersion.create({ data: { ...version, config: config as Prisma.InputJsonObject } });
}
