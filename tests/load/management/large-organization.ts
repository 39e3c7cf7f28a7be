import { createAdmin } from '@millrace/management-api/admin';
import { createPool } from '@millrace/postgres/pool.ts';
import { createPrismaOver } from '@millrace/postgres/prisma.ts';
import { fillTables, generateMembers, generateProjects } from '@millrace/testkit/generated-organization.ts';

export const membersOfLarge = 100_000;
export const projectsOfLarge = 10_000;
/** Members of another organization, to measure the cost of being one of several. */
const membersElsewhere = 50_000;

export interface LargeOrganization {
  organizationId: string;
  /** Key of an owner, with all scopes. */
  key: string;
  /** The owner's mail domain, that of eight of ten members. */
  domain: string;
  /** Some members, spread over all of them. */
  some: { uuid: string; first_name: string; last_name: string; email: string }[];
}

/** Makes, on a system that runs, an organization that is as large as they come, beside another one. */
export async function makeLargeOrganization(postgresUrl: string): Promise<LargeOrganization> {
  const pool = createPool(postgresUrl, {
    applicationName: 'bench',
    max: 1,
    statementTimeoutMs: 0,
    onError: () => undefined,
  });
  const prisma = createPrismaOver(pool);
  try {
    const admin = createAdmin(prisma);
    const { organizationId } = await admin.createOrganization({ name: 'Large' });
    const { organizationId: other } = await admin.createOrganization({ name: 'Other' });
    const email = 'owner@large.test';
    await admin.createUser({ organizationId, email, firstName: 'Owner', level: 15 });
    const { key } = await admin.createKey({ email, scopes: ['*'] });
    await fillTables(pool, async () => {
      await generateMembers(pool, { organizationId, domain: 'large.test', members: membersOfLarge });
      await generateMembers(pool, {
        organizationId: other,
        domain: 'other.test',
        members: membersElsewhere,
        from: membersOfLarge + 1,
      });
      await generateProjects(pool, { organizationId, projects: projectsOfLarge });
    });
    const sql =
      'SELECT u.uuid::text, u.first_name, u.last_name, u.email FROM users u JOIN listed_members l ON l.user_id = u.id WHERE l.organization_id = $1 AND u.id % 997 = 3 ORDER BY u.id';
    const { rows } = await pool.query<LargeOrganization['some'][number]>(sql, [organizationId]);
    return { organizationId, key, domain: 'large.test', some: rows };
  } finally {
    await prisma.$disconnect();
    await pool.end();
  }
}
