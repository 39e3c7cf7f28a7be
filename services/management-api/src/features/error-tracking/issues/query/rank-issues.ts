import { issueSeverities } from '@millrace/contracts/issues.ts';
import type { ErrorTrackingIssue, PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Assignee } from '../issue.ts';
import type { CountOrder, EventCounts } from './count-events.ts';

interface MetIssue {
  issue: ErrorTrackingIssue;
  fingerprint: string;
}

interface IssueFilter {
  status: string;
  /** Undefined: anybody's and nobody's. */
  assignee: Assignee | null | undefined;
  /** UTC text; null: any time. */
  after: string | null;
}

/** The issues that these fingerprints lead to, those that the filter lets in. */
export async function readMetIssues(
  prisma: Pick<PrismaClient, 'errorTrackingFingerprint'>,
  projectId: number,
  fingerprints: readonly string[],
  { status, assignee, after }: IssueFilter,
): Promise<MetIssue[]> {
  const found = await prisma.errorTrackingFingerprint.findMany({
    where: {
      projectId,
      fingerprint: { in: [...fingerprints] },
      issue: {
        ...(status !== 'all' && { status }),
        ...(assignee !== undefined && assigneeWhere(assignee)),
        ...(after !== null && { firstSeenAt: { gt: new Date(`${after.slice(0, 23).replace(' ', 'T')}Z`) } }),
      },
    },
    select: { fingerprint: true, issue: true },
  });
  return found;
}

/** No user and no role has the id of a kind that it is not. */
function assigneeWhere(assignee: Assignee | null) {
  if (assignee === null) return { assigneeUserId: null, assigneeRoleId: null };
  const id = String(assignee.id);
  if (assignee.type === 'user') return { assigneeUserId: /^[0-9]{1,9}$/.test(id) ? Number(id) : -1 };
  const isRole = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  return isRole ? { assigneeRoleId: id } : { assigneeUserId: -1 };
}

/**
 * The issues in their order, each once. Occurrences of its fingerprints add up; who met several of them counts for each here. Pure.
 */
export function rankIssues(
  met: readonly MetIssue[],
  counts: ReadonlyMap<string, EventCounts>,
  { by, descending }: { by: CountOrder | 'first_seen' | 'severity'; descending: boolean },
): ErrorTrackingIssue[] {
  const issues = new Map<string, { issue: ErrorTrackingIssue; value: number }>();
  for (const { issue, fingerprint } of met) {
    const counted = counts.get(fingerprint);
    const value = counted === undefined ? 0 : valueOf(issue, counted, by);
    const before = issues.get(issue.id);
    const adds = by === 'occurrences' || by === 'users' || by === 'sessions';
    const both = before === undefined ? value : adds ? before.value + value : Math.max(before.value, value);
    issues.set(issue.id, { issue, value: both });
  }
  const sign = descending ? -1 : 1;
  return [...issues.values()]
    .sort((a, b) => sign * (a.value - b.value) || (a.issue.id < b.issue.id ? -1 : 1))
    .map(({ issue }) => issue);
}

function valueOf(issue: ErrorTrackingIssue, counts: EventCounts, by: CountOrder | 'first_seen' | 'severity'): number {
  if (by === 'first_seen') return issue.firstSeenAt.getTime();
  if (by === 'severity') return issueSeverities.findIndex((name) => name === issue.severity);
  return by === 'last_seen' ? Date.parse(counts.lastSeen) : counts[by];
}
