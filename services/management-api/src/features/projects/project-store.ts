import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma, Project } from '@millrace/postgres/generated/client.ts';
import { randomToken, uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity, type Activity, type Actor } from '../../activity-log.ts';
import { lockProject } from '../../database/lock-project.ts';

const hourMs = 3_600_000;
/** Longer than any event waits in the log: the consumer may still have to find the project of an old token. */
const keptAfterMs = 7 * 24 * hourMs;

export type WantedProject = Pick<
  Prisma.ProjectUncheckedCreateInput,
  'organizationId' | 'name' | 'timezone' | 'accessControl' | 'anonymizeIps'
> & { tags?: string[] };

/** A project whose token was rotated, and how long the old one still names it. */
export interface Rotated {
  project: Project;
  previousToken: string;
  validUntil: Date;
}

/** Makes a project with a token of its own. Members of the organization who see it and have no current project get this one. */
export async function makeProject(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  wanted: WantedProject,
  nowMs: number,
): Promise<Project> {
  const project = await transaction.project.create({ data: { ...wanted, uuid: uuidV7(nowMs), apiToken: newToken() } });
  const { organizationId } = project;
  const level = project.accessControl ? membershipLevels.admin : membershipLevels.member;
  const whoSees = {
    currentProjectId: null,
    currentOrganizationId: organizationId,
    memberships: { some: { organizationId, level: { gte: level } } },
  };
  await transaction.user.updateMany({ where: whoSees, data: { currentProjectId: project.id } });
  await recordProject(transaction, actor, project, { activity: 'created', after: shownProject(project) });
  return project;
}

/** Changes what is given of the project, and writes down what became another. */
export async function changeProject(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  id: number,
  data: Prisma.ProjectUpdateInput,
): Promise<Project> {
  // One of two changes at once waits, so that what is written down as before is what was there before.
  await lockProject(transaction, id);
  const before = await transaction.project.findUniqueOrThrow({ where: { id } });
  const project = await transaction.project.update({ where: { id }, data });
  await recordProject(transaction, actor, project, {
    activity: 'updated',
    before: shownProject(before),
    after: shownProject(project),
  });
  return project;
}

/**
 * A new token; the old one works for `graceMs` more (contract/capture 1.6).
 * @throws {AppError} conflict when another request rotates at the same moment: nothing was changed
 */
export async function rotateToken(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  id: number,
  { graceMs, nowMs }: { graceMs: number; nowMs: number },
): Promise<Rotated> {
  const { apiToken: previousToken } = await transaction.project.findUniqueOrThrow({ where: { id } });
  // The second of two rotations at once must not forget the token that the first has just made.
  const { count } = await transaction.project.updateMany({
    where: { id, apiToken: previousToken, deletedAt: null },
    data: { apiToken: newToken() },
  });
  if (count === 0)
    throw new AppError('conflict', {
      detail: `The token of project ${id} was changed by another request at the same moment. Nothing was changed by this one.`,
    });
  const validUntil = new Date(nowMs + graceMs);
  await transaction.previousProjectToken.deleteMany({ where: { validUntil: { lt: new Date(nowMs - keptAfterMs) } } });
  await transaction.previousProjectToken.create({ data: { token: previousToken, projectId: id, validUntil } });
  const project = await transaction.project.findUniqueOrThrow({ where: { id } });
  await recordProject(transaction, actor, project, {
    activity: 'rolled',
    after: { previous_token_valid_until: validUntil.toISOString() },
  });
  return { project, previousToken, validUntil };
}

/** From now on its tokens are refused and its address is not found. What is stored of it stays stored. */
export async function removeProject(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  id: number,
  nowMs: number,
): Promise<void> {
  const { count } = await transaction.project.updateMany({
    where: { id, deletedAt: null },
    data: { deletedAt: new Date(nowMs) },
  });
  if (count === 0) throw new AppError('not_found', { detail: 'Project not found.' });
  const project = await transaction.project.findUniqueOrThrow({ where: { id } });
  await transaction.user.updateMany({ where: { currentProjectId: id }, data: { currentProjectId: null } });
  await recordProject(transaction, actor, project, { activity: 'deleted', before: shownProject(project) });
}

const newToken = (): string => randomToken('phc_', 32);

/** A project in the activity log: the fields that users can set. */
function shownProject(project: Project): Record<string, unknown> {
  return {
    name: project.name,
    timezone: project.timezone,
    access_control: project.accessControl,
    tags: project.tags,
    anonymize_ips: project.anonymizeIps,
    allow_dangerous_merges: project.allowDangerousMerges,
    test_account_filters: project.testAccountFilters,
    is_demo: project.isDemo,
    completed_snippet_onboarding: project.completedSnippetOnboarding,
    has_completed_onboarding_for: project.hasCompletedOnboardingFor,
  };
}

async function recordProject(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  { id, organizationId }: Project,
  activity: Pick<Activity, 'activity' | 'before' | 'after'>,
): Promise<void> {
  await recordActivity(transaction, actor, {
    organizationId,
    projectId: id,
    itemType: 'project',
    itemId: String(id),
    ...activity,
  });
}
