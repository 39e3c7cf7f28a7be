import { isDeepStrictEqual } from 'node:util';
import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Caller } from './auth/caller.ts';

/** The author of a change: a user with a key, a person with a link that was mailed to an address, or an operator at the command line. */
export type Actor = Pick<Caller, 'userId' | 'keyId'> | { address: string } | 'command line';

/** The user who acts; null: no account is known. */
export function userIdOf(actor: Actor): number | null {
  return typeof actor === 'object' && 'userId' in actor ? actor.userId : null;
}

/** A change of one thing. */
export interface Activity {
  organizationId: string | null;
  projectId?: number;
  itemType:
    | 'endpoint_token'
    | 'event_definition'
    | 'invite'
    | 'legal_document'
    | 'member'
    | 'oauth_application'
    | 'organization'
    | 'organization_domain'
    | 'organization_integration'
    | 'personal_api_key'
    | 'project'
    | 'property_definition'
    | 'quota'
    | 'restriction'
    | 'review_queue'
    | 'review_queue_item'
    | 'score_definition'
    | 'trace_review'
    | 'user';
  itemId: string;
  activity: 'accepted' | 'created' | 'deleted' | 'rolled' | 'updated';
  /** The object before and after, as the API shows it; never a secret. Fields that did not change are left out. */
  before?: Readonly<Record<string, unknown>>;
  after?: Readonly<Record<string, unknown>>;
}

/**
 * Writes a change down, for the organization's administrators to read. Give it the transaction that makes the change, so
 * that there is never one without the other. An update that changed nothing is not written.
 */
export async function recordActivity(
  transaction: Pick<PrismaClient, 'activityLogEntry' | 'user'>,
  actor: Actor,
  activity: Activity,
): Promise<void> {
  const [row] = rowsOf([activity]);
  if (row === undefined) return;
  const { before, after, ...entry } = row;
  await transaction.activityLogEntry.create({
    data: {
      ...entry,
      ...(await describeActor(transaction, actor)),
      ...(before && { before: asJson(before) }),
      ...(after && { after: asJson(after) }),
    },
  });
}

/** Records very many changes of one actor at once, by one statement. */
export async function recordActivities(
  transaction: Pick<PrismaClient, '$executeRaw' | 'user'>,
  actor: Actor,
  activities: readonly Activity[],
): Promise<void> {
  const { actor: name, actorUserId = null, actorKeyId = null } = await describeActor(transaction, actor);
  await transaction.$executeRaw`
    INSERT INTO activity_log (organization_id, project_id, actor, actor_user_id, actor_key_id, item_type, item_id, activity, before, after)
    SELECT "organizationId", "projectId", ${name}, ${actorUserId}::integer, ${actorKeyId}, "itemType", "itemId", activity, before, after
    FROM jsonb_to_recordset(${JSON.stringify(rowsOf(activities))}::jsonb)
      AS rows("organizationId" uuid, "projectId" integer, "itemType" text, "itemId" text, activity text, before jsonb, after jsonb)`;
}

/** Rows of these changes, as they are written; updates that changed nothing are left out. */
function rowsOf(activities: readonly Activity[]) {
  return activities.flatMap(({ organizationId, projectId = null, itemType, itemId, activity, before, after }) => {
    const [was, became] = before && after ? changedFields(before, after) : [before, after];
    return activity === 'updated' && Object.keys(became ?? {}).length === 0
      ? []
      : [{ organizationId, projectId, itemType, itemId, activity, before: was, after: became }];
  });
}

/** The columns that say who acts. */
export async function describeActor(
  transaction: Pick<PrismaClient, 'user'>,
  actor: Actor,
): Promise<{ actor: string; actorUserId?: number; actorKeyId?: string }> {
  if (actor === 'command line') return { actor };
  if ('address' in actor) return { actor: actor.address };
  const { email } = await transaction.user.findUniqueOrThrow({ where: { id: actor.userId } });
  return { actor: email, actorUserId: actor.userId, actorKeyId: actor.keyId };
}

/** Both records without the fields that are equal. */
function changedFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): [before: Record<string, unknown>, after: Record<string, unknown>] {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const only = (record: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
  return [only(before), only(after)];
}

const asJson = (record: Readonly<Record<string, unknown>>): Prisma.InputJsonObject => record as Prisma.InputJsonObject;
