import {
  Integer,
  Object as ObjectType,
  Optional,
  Record,
  String as StringType,
  Boolean,
  Unknown,
  type Static,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { pageQuery } from '@millrace/http/pagination.ts';
import type { ActivityLogEntry } from '@millrace/postgres/generated/client.ts';
import { summarizeUser, type StoredUser, UserOrNull } from '../../accounts/user-summary.ts';

const record = (name: string) => nullable(Record(StringType(), Unknown(), { examples: [{ name }] }));

/** One recorded change. */
export const Activity = ObjectType(
  {
    id: StringType({ examples: ['42'] }),
    organization_id: nullable(StringType({ format: 'uuid', examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'] })),
    project_id: nullable(Integer({ examples: [1] })),
    user: UserOrNull,
    actor: StringType({
      description: 'Address of the user at that time, or `command line`.',
      examples: ['ann@example.com'],
    }),
    actor_key_id: nullable(
      StringType({ description: 'The personal API key that was used.', examples: ['Qx3mZ81kTb'] }),
    ),
    is_system: Boolean({ description: 'True for the command line.' }),
    activity: StringType({ description: 'created, updated, deleted, …', examples: ['updated'] }),
    item_type: StringType({
      description: 'organization, member, invite, personal_api_key, project, …',
      examples: ['project'],
    }),
    item_id: StringType({ examples: ['1'] }),
    before: record('Store'),
    after: record('Shop'),
    created_at: StringType({ format: 'date-time' }),
  },
  { title: 'Activity' },
);

/** Filters of an activity log. */
export const activityQuery = {
  ...pageQuery,
  user: Optional(
    StringType({
      description: 'Only changes of this user: their number, UUID or address.',
      examples: ['ann@example.com'],
    }),
  ),
  item_type: Optional(StringType({ description: 'Only changes of things of this kind.', examples: ['project'] })),
  item_id: Optional(StringType({ description: 'Only changes of this thing.', examples: ['1'] })),
  since: Optional(StringType({ format: 'date-time', description: 'Only changes from then on.' })),
  until: Optional(StringType({ format: 'date-time', description: 'Only changes before.' })),
};

/** The change as the API shows it; `user`: who made it, as they are now, when they are still there. */
export function renderActivity(entry: ActivityLogEntry, user: StoredUser | null): Static<typeof Activity> {
  return {
    id: String(entry.id),
    organization_id: entry.organizationId,
    project_id: entry.projectId,
    user: summarizeUser(user),
    actor: entry.actor,
    actor_key_id: entry.actorKeyId,
    is_system: entry.actor === 'command line',
    activity: entry.activity,
    item_type: entry.itemType,
    item_id: entry.itemId,
    before: entry.before as Record<string, unknown> | null,
    after: entry.after as Record<string, unknown> | null,
    created_at: entry.createdAt.toISOString(),
  };
}
