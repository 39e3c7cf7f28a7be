import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { containsTextInAnyCase } from '../../../database/like-pattern.ts';
import type { Listed } from '../../../lists/id-page.ts';
import type { IssueListing, IssueOrder } from './issue-listing.ts';

/** A fingerprint, and the issue that it leads to. */
export interface IssueFingerprint {
  fingerprint: string;
  issueId: string;
}

/** Fingerprints whose events are counted at once. */
export const countedMax = 2_500;

/** Fingerprints of these issues of a project: all, or as many as are counted at once, the latest of each by turns. */
export async function readFingerprints(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  projectId: number,
  issueIds: readonly string[],
): Promise<IssueFingerprint[]> {
  return await prisma.$queryRaw<IssueFingerprint[]>`
    SELECT fingerprint, issue_id::text AS "issueId" FROM (
      SELECT fingerprint, issue_id, row_number() OVER (PARTITION BY issue_id ORDER BY first_seen_at DESC, fingerprint) AS turn
      FROM error_tracking_fingerprints WHERE project_id = ${projectId} AND issue_id = ANY(${[...issueIds]}::uuid[])) AS of_issues
    ORDER BY turn, issue_id LIMIT ${countedMax}`;
}

/** The rows of the list. Pure. */
export function listedIssues(projectId: number, listing: IssueListing): Listed<IssueOrder> {
  const rows = Prisma.sql`FROM error_tracking_issues r WHERE ${conditions(projectId, listing)}`;
  return { rows, columns, order: [listing.order], mayBeFew: listing.search !== null, areLong: false };
}

function conditions(projectId: number, { status, assignee, search }: IssueListing): Prisma.Sql {
  const parts = [Prisma.sql`r.project_id = ${projectId}`];
  if (status !== null) parts.push(Prisma.sql`r.status = ${status}`);
  if (assignee === 'none') parts.push(Prisma.sql`r.assignee_user_id IS NULL AND r.assignee_role_id IS NULL`);
  else if (typeof assignee === 'number') parts.push(Prisma.sql`r.assignee_user_id = ${assignee}`);
  else if (assignee !== null) parts.push(Prisma.sql`r.assignee_role_id = ${assignee}::uuid`);
  if (search !== null) {
    const texts = [Prisma.sql`r.name`, Prisma.sql`r.description`];
    const contains = texts.map((text) => containsTextInAnyCase(text, search));
    parts.push(Prisma.sql`(${Prisma.join(contains, ' OR ')})`);
  }
  return Prisma.join(parts, ' AND ');
}

const columns: Readonly<Record<IssueOrder | 'id', Prisma.Sql>> = {
  id: Prisma.sql`r.id`,
  first_seen: Prisma.sql`r.first_seen_at`,
  updated_at: Prisma.sql`r.updated_at`,
};
