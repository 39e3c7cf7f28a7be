import { Array as ArrayType, Boolean, Object as ObjectType, Optional, String as StringType } from 'typebox';
import { issueIdParts } from '@millrace/contracts/issues.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { ErrorTrackingFingerprint, Prisma } from '@millrace/postgres/generated/client.ts';
import { uuidV5, uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivities } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { findIssue, IssueId, lockIssue } from './find-issue.ts';
import { issuesPath, loggedIssue } from './issue.ts';

const splitMax = 100;

export const splitIssue = projectRoute({
  operationId: 'split_error_tracking_issue',
  method: 'post',
  path: `${issuesPath}/:issue_id/split`,
  params: { issue_id: IssueId },
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Make an issue of its own for each of some fingerprints',
  description:
    'Events go with their fingerprints. The new issues are active, and nobody is responsible for them. At least one fingerprint stays.',
  attrsEndAtLists: true,
  body: ObjectType(
    {
      fingerprints: ArrayType(
        ObjectType({
          fingerprint: StringType({ examples: ['other'] }),
          name: Optional(StringType({ maxLength: 400, examples: ['TypeError'] })),
          description: Optional(StringType({ maxLength: 10_000, examples: ['x is undefined'] })),
        }),
        { minItems: 1, maxItems: splitMax },
      ),
    },
    { title: 'ErrorTrackingIssueSplit' },
  ),
  responses: {
    200: ObjectType(
      { success: Boolean(), new_issue_ids: ArrayType(StringType({ format: 'uuid' })) },
      { title: 'ErrorTrackingIssueWasSplit' },
    ),
  },
  find: findIssue,
  async handler({ params: { issue_id: given }, auth: { project, caller }, context: { prisma: client, clock }, body }) {
    const wanted = new Map(body.fingerprints.map((one) => [one.fingerprint, one]));
    const now = new Date(clock.nowMs());
    const ids = await client.$transaction(async (prisma) => {
      const { id } = await lockIssue(prisma, project.id, given);
      const leaving = await lockFingerprints(prisma, { projectId: project.id, issueId: id }, [...wanted.keys()]);
      const taken = await takenIds(prisma, leaving);
      const issues = leaving.map(({ fingerprint, ...stored }) => ({
        id: taken.has(ownId({ ...stored, fingerprint })) ? uuidV7(now.getTime()) : ownId({ ...stored, fingerprint }),
        projectId: project.id,
        name: wanted.get(fingerprint)?.name ?? stored.name,
        description: wanted.get(fingerprint)?.description ?? stored.description,
        firstSeenAt: stored.firstSeenAt,
        createdAt: now,
        updatedAt: now,
      }));
      const made = await prisma.errorTrackingIssue.createManyAndReturn({ data: issues });
      for (const [index, { fingerprint }] of leaving.entries())
        await prisma.errorTrackingFingerprint.updateMany({
          where: { projectId: project.id, fingerprint },
          data: { issueId: issues[index]?.id ?? id },
        });
      await recordActivities(
        prisma,
        caller,
        made.map((issue) => ({
          organizationId: project.organizationId,
          projectId: project.id,
          itemType: 'issue',
          itemId: issue.id,
          activity: 'created',
          after: { ...loggedIssue(issue), split_from: id },
        })),
      );
      return issues.map((issue) => issue.id);
    });
    return { success: true, new_issue_ids: ids };
  },
});

/** @throws {AppError} invalid_input on `fingerprints`: one is not of the issue, or none would stay */
async function lockFingerprints(
  prisma: Prisma.TransactionClient,
  of: { projectId: number; issueId: string },
  names: readonly string[],
): Promise<ErrorTrackingFingerprint[]> {
  const found = await prisma.errorTrackingFingerprint.findMany({
    where: { ...of, fingerprint: { in: [...names] } },
    orderBy: { fingerprint: 'asc' },
  });
  const missing = names.find((name) => !found.some(({ fingerprint }) => fingerprint === name));
  if (missing !== undefined) throw refused(`The issue has no fingerprint "${missing.slice(0, 128)}".`);
  const count = await prisma.errorTrackingFingerprint.count({ where: of });
  if (count === found.length) throw refused('At least one fingerprint stays with the issue.');
  return found;
}

const refused = (detail: string): AppError => new AppError('invalid_input', { attr: 'fingerprints', detail });

const ownId = ({ projectId, fingerprint }: Pick<ErrorTrackingFingerprint, 'projectId' | 'fingerprint'>): string =>
  uuidV5(...issueIdParts(projectId, fingerprint));

/** Own ids of fingerprints that are those of issues already. */
async function takenIds(
  prisma: Prisma.TransactionClient,
  fingerprints: readonly ErrorTrackingFingerprint[],
): Promise<ReadonlySet<string>> {
  const where = { id: { in: fingerprints.map(ownId) } };
  return new Set((await prisma.errorTrackingIssue.findMany({ where, select: { id: true } })).map(({ id }) => id));
}
