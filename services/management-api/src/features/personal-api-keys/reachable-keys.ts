import { Prisma } from '@millrace/postgres/generated/client.ts';
import type { Caller } from '../../auth/caller.ts';

/** The owner of the keys, and the limits of the request's key. */
export type KeyReach = Pick<Caller, 'userId' | 'scopedProjects' | 'scopedOrganizations'>;

/**
 * Condition on `personal_api_keys`: the user's keys that are limited to nothing beyond the limits of the key of the
 * request, itself among them. Otherwise a key that was given away for one project would show the others, and could end
 * their keys.
 */
export function withinReach({ userId, scopedProjects, scopedOrganizations }: KeyReach): Prisma.Sql {
  const projects =
    scopedProjects.length === 0
      ? Prisma.empty
      : Prisma.sql`AND scoped_teams <> '{}' AND scoped_teams <@ ${[...scopedProjects]}::int[]`;
  const organizations =
    scopedOrganizations.length === 0
      ? Prisma.empty
      : Prisma.sql`AND scoped_organizations <> '{}' AND scoped_organizations <@ ${[...scopedOrganizations]}::uuid[]`;
  return Prisma.sql`user_id = ${userId} ${projects} ${organizations}`;
}
