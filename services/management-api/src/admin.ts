import { isGrantedScope, scopes as allScopes } from '@millrace/contracts/scopes.ts';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors.ts';
import { validator } from '@millrace/http/validator.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { systemClock, type Clock } from '@millrace/runtime/clock.ts';
import { isUuid, randomToken, uuidV7 } from '@millrace/runtime/ids.ts';
import { createLimitsAdmin } from './admin-limits.ts';
import { createProjectAdmin } from './admin-projects.ts';
import { hashKey, maskKey } from './auth/key-hash.ts';
import { EndpointBody } from './features/query-endpoints/endpoint-body.ts';
import { createEndpointStore } from './features/query-endpoints/endpoint-store.ts';
import { saveEndpoint } from './features/query-endpoints/save-endpoint.ts';
import { isUniqueViolation } from './prisma-errors.ts';

export type Admin = ReturnType<typeof createAdmin>;

/**
 * What the command line and the launcher's seed do to the management database. Every function throws `AppError` whose
 * message says in plain words what is wrong with its input.
 */
export function createAdmin(prisma: PrismaClient, clock: Clock = systemClock) {
  const newId = (): string => uuidV7(clock.nowMs());

  return {
    ...createProjectAdmin(prisma, clock),
    ...createLimitsAdmin(prisma),

    async createOrganization({ name }: { name: string }): Promise<{ organizationId: string }> {
      const organization = await prisma.organization.create({ data: { id: newId(), name: requireText('name', name, 64) } });
      return { organizationId: organization.id };
    },

    /** Members of the organization who have no current project get this one. */
    async createProject({ organizationId, name }: { organizationId: string; name: string }): Promise<{ projectId: number; projectToken: string }> {
      await requireOrganization(prisma, organizationId);
      const data = { uuid: newId(), organizationId, name: requireText('name', name, 200), apiToken: randomToken('phc_', 32) };
      const project = await prisma.project.create({ data });
      await prisma.user.updateMany({
        where: { currentProjectId: null, currentOrganizationId: organizationId },
        data: { currentProjectId: project.id },
      });
      return { projectId: project.id, projectToken: project.apiToken };
    },

    async createUser(user: { organizationId: string; email: string; firstName: string; level: number }): Promise<{ userId: number; userUuid: string }> {
      await requireOrganization(prisma, user.organizationId);
      if (!(Object.values(membershipLevels) as number[]).includes(user.level)) {
        throw new AppError('invalid_input', { attr: 'level', detail: `Unknown level ${user.level}: 1 is a member, 8 an administrator, 15 an owner.` });
      }
      const project = await prisma.project.findFirst({ where: { organizationId: user.organizationId, deletedAt: null }, orderBy: { id: 'asc' } });
      const uuid = newId();
      const data = {
        uuid,
        email: requireEmail(user.email),
        firstName: requireText('first_name', user.firstName, 150),
        distinctId: uuid,
        currentOrganizationId: user.organizationId,
        currentProjectId: project?.id ?? null,
        memberships: { create: { id: newId(), organizationId: user.organizationId, level: user.level } },
      };
      try {
        const created = await prisma.user.create({ data });
        return { userId: created.id, userUuid: created.uuid };
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw new AppError('unique', { attr: 'email', detail: `There is a user with the email ${user.email} already.`, cause: error });
      }
    },

    /** The key's value is in the answer and nowhere else: only its hash is stored (contract/orgs-errors 1.2). */
    async createKey(wanted: { email: string; label?: string; scopes: readonly string[]; projects?: readonly number[]; organizations?: readonly string[] }) {
      const user = await requireUser(prisma, wanted.email);
      const scopes = requireScopes(wanted.scopes);
      const projects = await requireProjects(prisma, wanted.projects ?? []);
      for (const id of wanted.organizations ?? []) await requireOrganization(prisma, id);
      const key = randomToken('phx_', 35);
      const stored = await prisma.personalApiKey.create({
        data: {
          id: randomToken('', 12),
          userId: user.id,
          label: requireText('label', wanted.label ?? 'Command line', 40),
          secureValue: hashKey(key),
          maskValue: maskKey(key),
          scopes,
          scopedTeams: projects,
          scopedOrganizations: [...(wanted.organizations ?? [])],
        },
      });
      return { key, id: stored.id, maskValue: stored.maskValue, scopes: stored.scopes };
    },

    /** All keys, or those of one user; newest first. Never their values. */
    async listKeys({ email }: { email?: string } = {}) {
      const owner = email === undefined ? {} : { userId: (await requireUser(prisma, email)).id };
      const keys = await prisma.personalApiKey.findMany({ where: owner, include: { user: true }, orderBy: [{ createdAt: 'desc' }, { id: 'asc' }] });
      return keys.map(({ id, label, user, maskValue, scopes, scopedTeams, scopedOrganizations, createdAt, lastUsedAt }) => {
        const dates = { createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
        return { id, label, email: user.email, maskValue, scopes, projects: scopedTeams, organizations: scopedOrganizations, ...dates };
      });
    },

    /** Within a second the key is worth nothing, in every process; mostly it takes milliseconds. */
    async revokeKey({ id }: { id: string }): Promise<{ id: string }> {
      const { count } = await prisma.personalApiKey.deleteMany({ where: { id } });
      if (count === 0) throw new AppError('not_found', { detail: `There is no key with the id ${id}.` });
      return { id };
    },

    /** A saved SQL query, by the same code as the API's route. */
    async createEndpoint(wanted: { projectId: number; email: string; name: string; sql: string; variables?: Record<string, unknown>; description?: string }) {
      const user = await requireUser(prisma, wanted.email);
      await requireProjects(prisma, [wanted.projectId]);
      const body = {
        name: wanted.name,
        description: wanted.description ?? '',
        query: { kind: 'HogQLQuery', query: wanted.sql, ...(wanted.variables ? { variables: wanted.variables } : {}) },
      };
      checkEndpointBody(body);
      const { endpoint } = await saveEndpoint(createEndpointStore(prisma, clock), { projectId: wanted.projectId, userId: user.id }, body);
      return { endpointId: endpoint.id, name: endpoint.name };
    },
  };
}

const checkEndpointBody = validator(EndpointBody);

function requireText(attr: string, text: string, lengthMax: number): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new AppError('blank', { attr, detail: `The ${attr} may not be empty.` });
  if (trimmed.length > lengthMax) throw new AppError('max_length', { attr, detail: `The ${attr} may have at most ${lengthMax} characters.` });
  return trimmed;
}

function requireEmail(email: string): string {
  if (email.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new AppError('invalid_input', { attr: 'email', detail: `"${email}" is not an email address.` });
}

function requireScopes(wanted: readonly string[]): string[] {
  if (wanted.length === 0) throw new AppError('empty', { attr: 'scopes', detail: 'A key needs at least one scope, or *.' });
  const unknown = wanted.filter((scope) => !isGrantedScope(scope));
  if (unknown.length > 0) {
    throw new AppError('invalid_choice', { attr: 'scopes', detail: `Unknown scope ${unknown.join(', ')}. Known: *, ${allScopes.join(', ')}.` });
  }
  return [...new Set(wanted)];
}

async function requireOrganization(prisma: PrismaClient, id: string): Promise<void> {
  const found = isUuid(id) ? await prisma.organization.findUnique({ where: { id } }) : null;
  if (found === null) throw new AppError('does_not_exist', { attr: 'organization', detail: `There is no organization with the id ${id}.` });
}

async function requireUser(prisma: PrismaClient, email: string) {
  const user = await prisma.user.findFirst({ where: { email: { equals: email, mode: 'insensitive' } } });
  if (user === null) throw new AppError('does_not_exist', { attr: 'email', detail: `There is no user with the email ${email}.` });
  return user;
}

async function requireProjects(prisma: PrismaClient, ids: readonly number[]): Promise<number[]> {
  const found = await prisma.project.findMany({ where: { id: { in: [...ids] }, deletedAt: null }, select: { id: true } });
  const unknown = ids.filter((id) => !found.some((project) => project.id === id));
  if (unknown.length > 0) throw new AppError('does_not_exist', { attr: 'projects', detail: `There is no project with the id ${unknown.join(', ')}.` });
  return [...ids];
}
