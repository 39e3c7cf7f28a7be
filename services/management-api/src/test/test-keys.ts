import { needsKey } from '@millrace/http/define-route.ts';
import { hashKey, maskKey } from '../auth/key-hash.ts';
import { routes } from '../routes.ts';
import type { Seed, TestApi } from './test-api.ts';

/** Keys of all sorts for the things of one seed. */
export interface TestKeys {
  /** Worth nothing any more, or never: none of them lets anybody in. */
  worthless: readonly string[];
  /** Keys of the owner with all scopes, each limited to ... */
  limited: { toProject: string; toOtherProject: string; toOrganization: string; toOtherOrganization: string };
  /** A run token of an endpoint of the same project that no path names. */
  runToken: string;
  /** Key of another organization, with all scopes. */
  stranger: string;
  /** Key of a member of the lowest level, with all scopes. */
  member: string;
  /** Key of the owner, with exactly these scopes. */
  holding(...scopes: readonly string[]): Promise<string>;
}

/** Makes them. `other`: a seed that has nothing to do with `seed`. */
export async function makeTestKeys(api: TestApi, seed: Seed, other: Seed): Promise<TestKeys> {
  const { admin, prisma } = api;
  const { email, organizationId, projectId } = seed;
  const make = async (limits: { projects?: number[]; organizations?: string[] }) =>
    (await admin.createKey({ email, scopes: ['*'], ...limits })).key;
  const second = await admin.createProject({ organizationId, name: 'Second' });
  const revoked = await admin.createKey({ email, scopes: ['*'] });
  await admin.revokeKey({ id: revoked.id });
  const expired = await admin.createKey({ email, scopes: ['*'], expiresAt: new Date(Date.now() - 1000) });
  const inactive = await api.seed('Inactive');
  await prisma.user.update({ where: { id: inactive.userId }, data: { isActive: false } });
  const member = { organizationId, email: `member-${projectId}@example.com`, firstName: 'Member', level: 1 };
  await admin.createUser(member);
  const held = new Map<string, string>();

  return {
    worthless: [
      'phx_unknown',
      'x'.repeat(5000),
      `${seed.key}x`,
      seed.key.slice(0, -1),
      revoked.key,
      expired.key,
      inactive.key,
      encodeURI('phx_é'),
    ],
    limited: {
      toProject: await make({ projects: [projectId] }),
      toOtherProject: await make({ projects: [second.projectId] }),
      toOrganization: await make({ organizations: [organizationId] }),
      toOtherOrganization: await make({ organizations: [other.organizationId] }),
    },
    runToken: await makeRunToken(api, seed),
    stranger: other.key,
    member: (await admin.createKey({ email: member.email, scopes: ['*'] })).key,
    async holding(...scopes) {
      const name = scopes.join();
      const key = held.get(name) ?? (await admin.createKey({ email, scopes })).key;
      held.set(name, key);
      return key;
    },
  };
}

async function makeRunToken({ admin, prisma }: TestApi, { projectId, email }: Seed): Promise<string> {
  const name = `for-tokens-${projectId}`;
  await admin.createEndpoint({ projectId, email, name, sql: 'SELECT 1 AS one' });
  const { id, createdById } = await prisma.endpoint.findFirstOrThrow({ where: { projectId, name } });
  const value = `phr_${crypto.randomUUID()}`;
  await prisma.endpointToken.create({
    data: {
      id: crypto.randomUUID(),
      endpointId: id,
      label: 'Test',
      secureValue: hashKey(value),
      maskValue: maskKey(value),
      createdById,
    },
  });
  return value;
}

/** A private project, with keys of two plain members of its organization that may do everything else: one was let in. */
export interface PrivateProject {
  seed: Seed;
  guest: string;
  outsider: string;
}

/** Makes it. */
export async function makePrivateProject(api: TestApi): Promise<PrivateProject> {
  const seed = await api.seed('Private');
  const { organizationId, projectId } = seed;
  await api.prisma.project.update({ where: { id: projectId }, data: { accessControl: true } });
  const make = async (name: string): Promise<{ userId: number; key: string }> => {
    const email = `${name}-${projectId}@example.com`;
    const { userId } = await api.admin.createUser({ organizationId, email, firstName: name, level: 1 });
    return { userId, key: (await api.admin.createKey({ email, scopes: ['*'] })).key };
  };
  const [guest, outsider] = [await make('guest'), await make('outsider')];
  await api.prisma.projectAccess.create({ data: { projectId, userId: guest.userId, level: 'member' } });
  return { seed, guest: guest.key, outsider: outsider.key };
}

/** Puts the seed's key back as it was made, whatever was done to it. */
export async function restoreKey({ prisma }: TestApi, { key, keyId, userId }: Seed): Promise<void> {
  const data = {
    userId,
    label: 'Restored',
    secureValue: hashKey(key),
    maskValue: maskKey(key),
    scopes: ['*'],
    scopedTeams: [],
    scopedOrganizations: [],
    expiresAt: null,
  };
  await prisma.personalApiKey.upsert({ where: { id: keyId }, create: { id: keyId, ...data }, update: data });
}

/** A scope that no route shares with the object of this one. */
export function scopeOfOthers(scope: string): string {
  return scope.startsWith('survey:') ? 'query:write' : 'survey:write';
}

/** The routes for which a key is needed. */
export const keyRoutes = routes.filter(({ access }) => needsKey(access));
