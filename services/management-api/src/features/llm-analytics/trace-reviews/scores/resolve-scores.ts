import { Prisma } from '@millrace/postgres/generated/client.ts';
import type { RunPrepared } from '../../../../database/prepared-statements.ts';
import type { ScoreConfig, ScoreKind } from '../../score-definitions/config/score-config.ts';
import { checkScore } from './check-score.ts';
import { scoreError, type GivenScore, type ScoreValue } from './read-scores.ts';

/** A score that may be saved. */
export interface ResolvedScore {
  definitionId: string;
  versionId: string;
  /** Number of the version. */
  version: number;
  value: ScoreValue;
}

interface Version {
  definitionId: string;
  versionId: string;
  version: number;
  kind: ScoreKind;
  config: ScoreConfig;
  isCurrent: boolean;
}

/**
 * The scores with the versions that they are made with: those that they name, or else the current ones. Archived definitions will do.
 * @throws {AppError} 400 on `scores`, about the first that is wrong
 */
export async function resolveScores(
  runPrepared: RunPrepared,
  projectId: number,
  scores: readonly GivenScore[],
): Promise<ResolvedScore[]> {
  if (scores.length === 0) return [];
  const versions = await readVersions(runPrepared, projectId, scores);
  return scores.map((score, index) => {
    const found = versionOf(score, versions, index);
    checkScore({ value: score.value, index }, found);
    const { versionId, version } = found;
    return { definitionId: score.definitionId, versionId, version, value: score.value };
  });
}

/** Current versions of the definitions that scores name, and the versions that they name, of this project. */
async function readVersions(
  runPrepared: RunPrepared,
  projectId: number,
  scores: readonly GivenScore[],
): Promise<Version[]> {
  const definitionIds = scores.map(({ definitionId }) => definitionId);
  const versionIds = scores.flatMap(({ versionId }) => versionId ?? []);
  const statement = Prisma.sql`
    SELECT d.id::text AS "definitionId", v.id::text AS "versionId", v.version, d.kind, v.config, true AS "isCurrent"
    FROM score_definitions d JOIN score_definition_versions v ON v.definition_id = d.id AND v.version = d.current_version
    WHERE d.project_id = ${projectId} AND d.id = ANY(${definitionIds}::uuid[])
    UNION ALL
    SELECT d.id::text, v.id::text, v.version, d.kind, v.config, false
    FROM score_definition_versions v JOIN score_definitions d ON d.id = v.definition_id
    WHERE d.project_id = ${projectId} AND v.id = ANY(${versionIds}::uuid[])`;
  return await runPrepared<Version>('find-versions-of-scores', statement);
}

function versionOf({ definitionId, versionId }: GivenScore, versions: readonly Version[], index: number): Version {
  const current = versions.find((version) => version.isCurrent && version.definitionId === definitionId);
  if (current === undefined) throw scoreError(index, 'definition_id', 'Unknown scorer definition.');
  if (versionId === null) return current;
  const named = versions.find((version) => version.versionId === versionId);
  if (named === undefined) throw scoreError(index, 'definition_version_id', 'Unknown scorer version.');
  if (named.definitionId === definitionId) return named;
  throw scoreError(index, 'definition_version_id', 'This scorer version does not belong to the scorer.');
}
