import { isDeepStrictEqual } from 'node:util';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { type Admin, createAdmin } from '@millrace/management-api/admin';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { createPrisma } from '@millrace/postgres/prisma.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { type DataFolder, readJson, writePrivateJson } from './data-folder.ts';
import { say } from './progress.ts';
import type { Secrets } from './secrets.ts';

/** Ids and keys of the demo project. */
export interface Demo {
  organizationId: string;
  projectId: number;
  projectToken: string;
  personalApiKey: string;
}

/** Name of the demo endpoint: counts of events by name, most frequent first. */
export const demoEndpoint = 'event_counts';

/** Short, because a new user sends an event and looks at once: a cached result of a minute ago would look like a lost event. */
const demoFreshnessSeconds = 10;

const email = 'demo@localhost.localdomain';

const name = 'Demo';

/**
 * Creates the demo project on the first start and finds it on later ones. Each step creates only what is missing, so a start
 * continues where a killed one ended, and repairs deletions. A rotated token is returned as it is now. The value of the key
 * is stored in the data folder, because the database has only its hash. A revoked key is replaced by a new one.
 */
export async function seedDemo(postgresUrl: string, folder: DataFolder, secrets: Secrets): Promise<Demo> {
  const prisma = createPrisma(postgresUrl, { applicationName: 'millrace-launcher', onError });
  try {
    const known = readJson<{ demo?: Demo }>(folder.secrets)?.demo;
    const demo = await findOrCreateDemo(prisma, known);
    if (!isDeepStrictEqual(demo, known)) writePrivateJson(folder.secrets, { ...secrets, demo });
    return demo;
  } finally {
    await prisma.$disconnect();
  }
}

async function findOrCreateDemo(prisma: PrismaClient, known: Demo | undefined): Promise<Demo> {
  const admin = createAdmin(prisma);
  const organizationId = await findOrCreateMember(prisma, admin, known);
  const project = await findOrCreateProject(prisma, admin, organizationId, known);
  await ensureEndpoint(prisma, admin, project.projectId);
  return { ...project, personalApiKey: await findOrCreateKey(admin, known) };
}

/** Makes the demo user a member of an organization. Returns the organization's id. */
async function findOrCreateMember(prisma: PrismaClient, admin: Admin, known: Demo | undefined): Promise<string> {
  const user = await admin.findUser({ email });
  const memberOf = user?.memberships.map((membership) => membership.organizationId) ?? [];
  const present = memberOf.find((id) => id === known?.organizationId) ?? memberOf[0];
  if (present !== undefined) return present;
  const former = known && (await prisma.organization.findUnique({ where: { id: known.organizationId } }));
  const organizationId =
    former?.id ?? (await admin.createOrganization({ name, isAiDataProcessingApproved: true })).organizationId;
  const { owner: level } = membershipLevels;
  if (user === null) await admin.createUser({ organizationId, email, firstName: name, level });
  else await prisma.membership.create({ data: { id: uuidV7(Date.now()), organizationId, userId: user.userId, level } });
  return organizationId;
}

async function findOrCreateProject(
  prisma: PrismaClient,
  admin: Admin,
  organizationId: string,
  known: Demo | undefined,
): Promise<Omit<Demo, 'personalApiKey'>> {
  const projects = await prisma.project.findMany({
    where: { organizationId, deletedAt: null },
    orderBy: { id: 'asc' },
  });
  // The id wins, because the project may be renamed. Without a stored id only the name is left.
  const found = projects.find(({ id }) => id === known?.projectId) ?? projects.find((project) => project.name === name);
  if (found !== undefined) return { organizationId, projectId: found.id, projectToken: found.apiToken };
  return { organizationId, ...(await admin.createProject({ organizationId, name })) };
}

async function ensureEndpoint(prisma: PrismaClient, admin: Admin, projectId: number): Promise<void> {
  if ((await prisma.endpoint.count({ where: { projectId, name: demoEndpoint, deletedAt: null } })) > 0) return;
  await admin.createEndpoint({
    projectId,
    email,
    name: demoEndpoint,
    description: 'How often each event happened',
    dataFreshnessSeconds: demoFreshnessSeconds,
    sql: 'SELECT event, count() AS events FROM events GROUP BY event ORDER BY events DESC, event',
  });
}

async function findOrCreateKey(admin: Admin, known: Demo | undefined): Promise<string> {
  const isThere =
    known !== undefined &&
    (await admin.listKeys({ email })).some(({ maskValue }) => maskValue === mask(known.personalApiKey));
  return isThere ? known.personalApiKey : (await admin.createKey({ email, label: name, scopes: ['*'] })).key;
}

const onError = (error: Error): void => say(`lost a connection to Postgres: ${error.message}`);

const mask = (key: string): string => `${key.slice(0, 4)}...${key.slice(-4)}`;
