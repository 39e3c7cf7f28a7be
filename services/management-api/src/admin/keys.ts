import { isGrantedScope, scopes as allScopes } from '@millrace/contracts/scopes.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { visibleProjects } from '../auth/visible-projects.ts';
import { lockUser } from '../accounts/lock-user.ts';
import { makeKey, removeKey } from '../accounts/key-store.ts';
import { runTokensOf } from '../features/personal-api-keys/run-tokens-of.ts';
import { requireOrganization, requireProject, requireText, requireUser } from './checks.ts';

export interface WantedAdminKey {
  email: string;
  label?: string;
  scopes: readonly string[];
  projects?: readonly number[];
  organizations?: readonly string[];
  expiresAt?: Date;
}

/** Operations of the command line on personal API keys. */
export function createKeyAdmin(prisma: PrismaClient) {
  return {
    /** The key's value is in the reply and nowhere else: only its hash is stored (contract/orgs-errors 1.2). */
    async createKey({
      email,
      label = 'Command line',
      projects = [],
      organizations = [],
      expiresAt,
      ...wanted
    }: WantedAdminKey) {
      const user = await requireUser(prisma, email);
      const scopes = requireScopes(wanted.scopes);
      for (const id of projects) await requireProject(prisma, id);
      for (const id of organizations) await requireOrganization(prisma, id);
      const limits = { scopedTeams: projects, scopedOrganizations: organizations, expiresAt: expiresAt ?? null };
      const checked = { userId: user.id, label: requireText('label', label, 40), scopes, ...limits };
      const { value, key } = await prisma.$transaction((transaction) => makeKey(transaction, 'command line', checked));
      return { key: value, id: key.id, maskValue: key.maskValue, scopes: key.scopes, email: user.email };
    },

    /** @throws {AppError} invalid_choice when a key with these limits would reach nothing there: its user sees nothing of it */
    async checkKeyLimits({ email, projects = [], organizations = [] }: Omit<WantedAdminKey, 'scopes'>): Promise<void> {
      const user = await requireUser(prisma, email);
      for (const id of projects) await requireProject(prisma, id);
      for (const id of organizations) await requireOrganization(prisma, id);
      await requireReachable(prisma, user, { projects, organizations });
    },

    /** All keys, or those of one user; newest first. Never their values. */
    async listKeys({ email }: { email?: string } = {}) {
      const owner = email === undefined ? {} : { userId: (await requireUser(prisma, email)).id };
      const keys = await prisma.personalApiKey.findMany({
        where: owner,
        include: { user: true },
        orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
      });
      return keys.map(
        ({
          id,
          label,
          user,
          maskValue,
          scopes,
          scopedTeams,
          scopedOrganizations,
          createdAt,
          lastUsedAt,
          expiresAt,
        }) => {
          const dates = {
            createdAt: createdAt.toISOString(),
            lastUsedAt: lastUsedAt?.toISOString() ?? null,
            expiresAt: expiresAt?.toISOString() ?? null,
          };
          return {
            id,
            label,
            email: user.email,
            maskValue,
            scopes,
            projects: scopedTeams,
            organizations: scopedOrganizations,
            ...dates,
          };
        },
      );
    },

    /**
     * Within a second the key is worth nothing, in every process; mostly it takes milliseconds. Returns the run tokens
     * that it made: they live on.
     */
    async revokeKey({ id }: { id: string }) {
      return await prisma.$transaction(async (transaction) => {
        const key = await transaction.personalApiKey.findUnique({ where: { id }, include: { user: true } });
        if (key === null) throw new AppError('not_found', { detail: `There is no key with the id ${id}.` });
        await lockUser(transaction, key.userId);
        await removeKey(transaction, 'command line', key);
        return { id, email: key.user.email, runTokens: await runTokensOf(transaction, id) };
      });
    },
  };
}

/**
 * A key limited to what its user cannot see would reply 403 or 404 to every request.
 * @throws {AppError} invalid_choice
 */
async function requireReachable(
  prisma: Pick<PrismaClient, 'project'>,
  user: Awaited<ReturnType<typeof requireUser>>,
  { projects, organizations }: { projects: readonly number[]; organizations: readonly string[] },
): Promise<void> {
  const levels = Object.fromEntries(user.memberships.map(({ organizationId, level }) => [organizationId, level]));
  const foreign = organizations.filter((id) => levels[id] === undefined);
  if (foreign.length > 0)
    throw new AppError('invalid_choice', {
      attr: 'organizations',
      detail: `${user.email} is not a member of the organization ${foreign.join(', ')}: the key would have no access there.`,
    });
  const seen = await prisma.project.findMany({
    where: { AND: [visibleProjects(user.id, levels), { id: { in: [...projects] } }] },
    select: { id: true },
  });
  const unseen = projects.filter((id) => !seen.some((project) => project.id === id));
  if (unseen.length > 0)
    throw new AppError('invalid_choice', {
      attr: 'projects',
      detail: `${user.email} cannot see project ${unseen.join(', ')}: the key would have no access there. Add them to its organization, or choose another user.`,
    });
}

function requireScopes(wanted: readonly string[]): string[] {
  if (wanted.length === 0)
    throw new AppError('empty', { attr: 'scopes', detail: 'A key needs at least one scope, or *.' });
  const unknown = wanted.filter((scope) => !isGrantedScope(scope));
  if (unknown.length > 0) {
    throw new AppError('invalid_choice', {
      attr: 'scopes',
      detail: `Unknown scope ${unknown.join(', ')}. Known: *, ${allScopes.join(', ')}.`,
    });
  }
  return [...new Set(wanted)];
}
