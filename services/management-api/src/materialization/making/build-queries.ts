import { setTimeout as wait } from 'node:timers/promises';
import type { QueryEndings } from '../../queries/execute/query-endings.ts';
import type { ClaimedBuild } from '../claim-build.ts';
import { tableName } from '../table-name.ts';

/** Statements of a build that may take long. ClickHouse forgets an id a little after its reply, so each has its own. */
const steps = [
  'types',
  'moment',
  'overrides',
  'changes',
  'stored',
  'copy',
  'buckets',
  'fill',
  'compared',
  'compare',
] as const;

export type QueryStep = (typeof steps)[number];

/** The id of a statement of a build. Pure. */
export function queryIdOf(scope: string, claim: Pick<ClaimedBuild, 'rowId' | 'buildNumber'>, step: QueryStep): string {
  const id = `build_${tableName(scope, claim)}`;
  return step === 'fill' ? id : `${id}_${step}`;
}

/** Ends what ClickHouse may still run for a build. */
export async function endQueries(
  { endings, scope, endingMsMax = 5_000 }: { endings: Pick<QueryEndings, 'end'>; scope: string; endingMsMax?: number },
  claim: Pick<ClaimedBuild, 'rowId' | 'buildNumber' | 'projectId'>,
): Promise<void> {
  const ids = steps.map((step) => queryIdOf(scope, claim, step));
  const ended = Promise.all(ids.map((queryId) => endings.end({ queryId, teamId: claim.projectId })));
  await Promise.race([ended, wait(endingMsMax, undefined, { ref: false })]);
}
