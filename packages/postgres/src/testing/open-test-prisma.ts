import { createTestDatabase } from '@millrace/testkit/test-postgres.ts';
import type { PrismaClient } from '../generated/client.ts';
import { migratePostgres } from '../migrate.ts';
import { createPrisma } from '../prisma.ts';

export interface TestPrisma {
  prisma: PrismaClient;
  /** Makes a project of an organization of its own; answers its id. */
  makeProject(): Promise<number>;
  close(): Promise<void>;
}

/** A client of a database of its own, with all migrations. */
export async function openTestPrisma(): Promise<TestPrisma> {
  const database = await createTestDatabase({
    template: 'postgres',
    migrate: async (url) => void (await migratePostgres(url, { log: { info: () => {} } })),
  });
  const prisma = createPrisma(database.url, { applicationName: 'test', onError: () => undefined });
  return {
    prisma,
    async makeProject() {
      const organization = await prisma.organization.create({ data: { id: crypto.randomUUID(), name: 'O' } });
      const uuid = crypto.randomUUID();
      const data = { uuid, organizationId: organization.id, name: 'P', apiToken: `phc_${uuid}` };
      return (await prisma.project.create({ data })).id;
    },
    async close() {
      await prisma.$disconnect();
      await database.drop();
    },
  };
}
