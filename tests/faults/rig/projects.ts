import { randomUUID } from 'node:crypto';
import { type Admin, createAdmin } from '@millrace/management-api/admin';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { createPrisma } from '@millrace/postgres/prisma.ts';

/** A project, and a key of its organization's owner. */
export interface Project {
  id: number;
  token: string;
  key: string;
}

/** Saved query of each project: its events by the project that their clients named. */
export const seenEndpoint = 'seen';
const seenQuery = 'SELECT properties.project, count() FROM events GROUP BY properties.project';

const ownerLevel = 15;

/** Works in the database itself. */
export async function withPrisma<T>(postgresUrl: string, work: (prisma: PrismaClient) => Promise<T>): Promise<T> {
  const prisma = createPrisma(postgresUrl, { applicationName: 'millrace-faults', onError: () => undefined });
  try {
    return await work(prisma);
  } finally {
    await prisma.$disconnect();
  }
}

/** Makes projects in the database itself. */
export const withAdmin = <T>(postgresUrl: string, work: (admin: Admin) => Promise<T>): Promise<T> =>
  withPrisma(postgresUrl, (prisma) => work(createAdmin(prisma)));

/** Makes an organization with an owner, whose key opens these projects of it, and the same saved query in each. */
export async function createOrganization(admin: Admin, projects: number): Promise<Project[]> {
  const email = `${randomUUID()}@localhost.localdomain`;
  const { organizationId } = await admin.createOrganization({ name: 'Faults' });
  await admin.createUser({ organizationId, email, firstName: 'Faults', level: ownerLevel });
  const { key } = await admin.createKey({ email, scopes: ['*'] });
  return await Promise.all(
    Array.from({ length: projects }, async () => {
      const { projectId, projectToken } = await admin.createProject({ organizationId, name: 'Faults' });
      await admin.createEndpoint({ projectId, email, name: seenEndpoint, sql: seenQuery });
      return { id: projectId, token: projectToken, key };
    }),
  );
}
