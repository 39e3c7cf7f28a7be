import { createAdmin } from '@millrace/management-api/admin';
import { createPrisma } from '@millrace/postgres/prisma.ts';
import { type DataFolder, readJson, writePrivateJson } from './data-folder.ts';
import { say } from './progress.ts';
import type { Secrets } from './secrets.ts';

/** The ready-made organization, project, user, key and endpoint. */
export interface Demo {
  organizationId: string;
  projectId: number;
  projectToken: string;
  personalApiKey: string;
}

/** Name of the ready-made endpoint: events by name, most frequent first. */
export const demoEndpoint = 'event_counts';

const email = 'demo@localhost.localdomain';

/**
 * Makes the demo project on the first start and finds it on later ones. The key's value is kept in the data folder,
 * because Millrace stores only its hash; when somebody revoked it, a new one is made.
 */
export async function seedDemo(postgresUrl: string, folder: DataFolder, secrets: Secrets): Promise<Demo> {
  const prisma = createPrisma(postgresUrl, { applicationName: 'millrace-launcher', onError });
  try {
    const admin = createAdmin(prisma);
    const known = readJson<{ demo?: Demo }>(folder.secrets)?.demo;
    if (known !== undefined && (await admin.listKeys({ email })).some(({ maskValue }) => maskValue === mask(known.personalApiKey))) return known;
    const { organizationId, projectId, projectToken } = known ?? (await createProject(admin));
    const { key } = await admin.createKey({ email, label: 'Demo', scopes: ['*'] });
    const demo: Demo = { organizationId, projectId, projectToken, personalApiKey: key };
    writePrivateJson(folder.secrets, { ...secrets, demo });
    return demo;
  } finally {
    await prisma.$disconnect();
  }
}

async function createProject(admin: ReturnType<typeof createAdmin>): Promise<Omit<Demo, 'personalApiKey'>> {
  const { organizationId } = await admin.createOrganization({ name: 'Demo' });
  const { projectId, projectToken } = await admin.createProject({ organizationId, name: 'Demo' });
  await admin.createUser({ organizationId, email, firstName: 'Demo', level: 15 });
  await admin.createEndpoint({
    projectId,
    email,
    name: demoEndpoint,
    description: 'How often each event happened',
    sql: 'SELECT event, count() AS events FROM events GROUP BY event ORDER BY events DESC, event',
  });
  return { organizationId, projectId, projectToken };
}

const onError = (error: Error): void => say(`lost a connection to Postgres: ${error.message}`);

const mask = (key: string): string => `${key.slice(0, 4)}...${key.slice(-4)}`;
