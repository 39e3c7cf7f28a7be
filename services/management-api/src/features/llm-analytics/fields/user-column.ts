import { Prisma } from '@millrace/postgres/generated/client.ts';

/** The user of a joined row of `users` as `StoredUser`; null where there is none. Pure. */
export function userColumn(alias: 'u' | 'creator' | 'reviewer'): Prisma.Sql {
  const u = Prisma.raw(alias);
  return Prisma.sql`CASE WHEN ${u}.id IS NOT NULL THEN json_build_object('id', ${u}.id, 'uuid', ${u}.uuid, 'distinctId', ${u}.distinct_id,
        'firstName', ${u}.first_name, 'lastName', ${u}.last_name, 'email', ${u}.email, 'isEmailVerified', ${u}.is_email_verified,
        'hedgehogConfig', ${u}.hedgehog_config, 'roleAtOrganization', ${u}.role_at_organization) END`;
}
