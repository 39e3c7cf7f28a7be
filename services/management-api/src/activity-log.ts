import { isDeepStrictEqual } from 'node:util';
import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
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
    | 'alert_settings'
    | 'endpoint_token'
    | 'event_definition'
    | 'invite'
    | 'issue'
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
    | 'release'
    | 'restriction'
    | 'review_queue'
    | 'review_queue_item'
    | 'score_definition'
    | 'symbol_set'
    | 'suppression_rule'
    | 'trace_review'
    | 'user';
  itemId: string;
  activity: 'accepted' | 'created' | 'deleted' | 'rolled' | 'updated';
  /** The object before and after, as the API shows it; never a secret. Fields that did not change are left out. */
  before?: Readonly<Record<string, unknown>>;
  after?: Readonly<Record<string, unknown>>;
}

type Writer = Pick<PrismaClient, '$executeRaw'>;

/**
 * Writes a change down, for the organization's administrators to read. Give it the transaction that makes the change, so
 * that there is never one without the other. An update that changed nothing is not written.
 */
export const recordActivity = (transaction: Writer, actor: Actor, activity: Activity): Promise<void> =>
  recordActivities(transaction, actor, [activity]);

/** Records very many changes of one actor at once, by one statement. */
export async function recordActivities(
  transaction: Writer,
  actor: Actor,
  activities: readonly Activity[],
): Promise<void> {
  const rows = rowsOf(activities);
  if (rows.length > 0) await transaction.$executeRaw(insertRows(actor, rows));
}

/** The statement that writes a new thing down, for one that makes it too. Pure. */
export const insertActivity = (actor: Actor, activity: Activity & { activity: 'created' }): Prisma.Sql =>
  insertRows(actor, rowsOf([activity]));

const insertRows = (actor: Actor, rows: ReturnType<typeof rowsOf>): Prisma.Sql => Prisma.sql`
    INSERT INTO activity_log (organization_id, project_id, actor, actor_user_id, actor_key_id, item_type, item_id, activity, before, after)
    SELECT "organizationId", "projectId", ${actorColumns(actor)}, "itemType", "itemId", activity, before, after
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS rows("organizationId" uuid, "projectId" integer, "itemType" text, "itemId" text, activity text, before jsonb, after jsonb)`;

/** Rows of these changes, as they are written; updates that changed nothing are left out. */
function rowsOf(activities: readonly Activity[]) {
  return activities.flatMap(({ organizationId, projectId = null, itemType, itemId, activity, before, after }) => {
    const [was, became] = before && after ? changedFields(before, after) : [before, after];
    return activity === 'updated' && Object.keys(became ?? {}).length === 0
      ? []
      : [{ organizationId, projectId, itemType, itemId, activity, before: was, after: became }];
  });
}

/** The values of `actor`, `actor_user_id` and `actor_key_id`. A user who is gone is an error of the statement: `actor` is never null. Pure. */
export function actorColumns(actor: Actor): Prisma.Sql {
  if (typeof actor === 'string' || 'address' in actor)
    return Prisma.sql`${typeof actor === 'string' ? actor : actor.address}::text, NULL::integer, NULL::text`;
  return Prisma.sql`(SELECT email FROM users WHERE id = ${actor.userId}), ${actor.userId}::integer, ${actor.keyId}::text`;
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
