import { issueSeverities } from '@millrace/contracts/issues.ts';
import type { ErrorTrackingIssue, PrismaClient } from '@millrace/postgres/generated/client.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { Assignee } from '../issue.ts';
import { countedMax, type IssueFingerprint } from '../issue-queries.ts';
import type { CountOrder } from './count-events.ts';

/** A fingerprint that was met, with as much of its issue as orders it: there may be 10,000. */
export interface MetFingerprint {
  fingerprint: string;
  issue: Pick<ErrorTrackingIssue, 'id' | 'firstSeenAt' | 'severity'>;
}

interface IssueFilter {
  status: string;
  /** Undefined: anybody's and nobody's. */
  assignee: Assignee | null | undefined;
  /** UTC text; null: any time. */
  after: string | null;
}

/** These fingerprints with the issues that they lead to, those that the filter lets in. */
export async function readMetIssues(
  prisma: Pick<PrismaClient, 'errorTrackingFingerprint'>,
  projectId: number,
  fingerprints: readonly string[],
  { status, assignee, after }: IssueFilter,
): Promise<MetFingerprint[]> {
  return await prisma.errorTrackingFingerprint.findMany({
    where: {
      projectId,
      fingerprint: { in: [...fingerprints] },
      issue: {
        ...(status !== 'all' && { status }),
        ...(assignee !== undefined && assigneeWhere(assignee)),
        ...(after !== null && { firstSeenAt: { gt: new Date(`${after.slice(0, 23).replace(' ', 'T')}Z`) } }),
      },
    },
    select: { fingerprint: true, issue: { select: { id: true, firstSeenAt: true, severity: true } } },
  });
}

/** No user and no role has the id of a kind that it is not. */
function assigneeWhere(assignee: Assignee | null) {
  if (assignee === null) return { assigneeUserId: null, assigneeRoleId: null };
  const id = String(assignee.id);
  if (assignee.type === 'user') return { assigneeUserId: /^[0-9]{1,9}$/.test(id) ? Number(id) : -1 };
  return isUuid(id) ? { assigneeRoleId: id } : { assigneeUserId: -1 };
}

interface RankedBy {
  by: CountOrder | 'first_seen' | 'severity';
  descending: boolean;
}

/**
 * Ids of the issues in their order, each once. `values`: the count that orders them by fingerprint; `counted`: by issue, for those whose
 * fingerprints must not be added up, because a person or a session may have met several. Pure.
 */
export function rankIssues(
  met: readonly MetFingerprint[],
  values: ReadonlyMap<string, number>,
  { by, descending }: RankedBy,
  counted: ReadonlyMap<string, number> = new Map(),
): string[] {
  const issues = new Map<string, number>();
  for (const { issue, fingerprint } of met) {
    const value = ownValue(issue, by) ?? values.get(fingerprint) ?? 0;
    const before = issues.get(issue.id);
    const adds = by === 'occurrences' || by === 'users' || by === 'sessions';
    const both = before === undefined ? value : adds ? before + value : Math.max(before, value);
    issues.set(issue.id, counted.get(issue.id) ?? both);
  }
  const sign = descending ? -1 : 1;
  return [...issues].sort(([a, first], [b, second]) => sign * (first - second) || (a < b ? -1 : 1)).map(([id]) => id);
}

/** Undefined: it is a count of events that orders. */
function ownValue({ firstSeenAt, severity }: MetFingerprint['issue'], by: RankedBy['by']): number | undefined {
  if (by === 'first_seen') return firstSeenAt.getTime();
  return by === 'severity' ? issueSeverities.findIndex((name) => name === severity) : undefined;
}

/** Fingerprints of issues that have several among these. Pure. */
export function ofMergedIssues(met: readonly MetFingerprint[]): IssueFingerprint[] {
  const byIssue = Map.groupBy(met, ({ issue }) => issue.id);
  return asFingerprints([...byIssue.values()].filter((all) => all.length > 1).flat());
}

/** As many of them as are counted at once, of each issue by turns. Pure. */
export function asFingerprints(met: readonly MetFingerprint[]): IssueFingerprint[] {
  const turns = new Map<string, number>();
  const inTurns = met.map(({ fingerprint, issue: { id } }) => {
    const turn = turns.get(id) ?? 0;
    turns.set(id, turn + 1);
    return { fingerprint, issueId: id, turn };
  });
  const first = inTurns.sort((a, b) => a.turn - b.turn).slice(0, countedMax);
  return first.map(({ fingerprint, issueId }) => ({ fingerprint, issueId }));
}
