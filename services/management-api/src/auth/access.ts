import { AppError } from '@millrace/http/errors.ts';
import type { Access } from '@millrace/http/define-route.ts';
import type { Credentials } from '@millrace/http/serve-route.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { authorize, type Caller, type Target } from './authorize.ts';

/** What a handler of a project's route knows about its call. */
export interface ProjectAccess {
  caller: Caller;
  project: { id: number; organizationId: string; timezone: string };
  /** The caller's membership level in the project's organization. */
  level: number;
}

const projectIdMax = 2_147_483_647;

/**
 * Checks a call before anything else is looked at: who (401), the project or organization of the path (404), and what
 * `authorize` decides (403).
 */
export function createAccess(prisma: PrismaClient, authenticate: (credentials: Credentials) => Promise<Caller>) {
  return async (access: Access, path: string, credentials: Credentials): Promise<ProjectAccess | { caller: Caller } | null> => {
    if (access === 'public') return null;
    if (access === 'project-token') throw new Error('project tokens are for capture');
    const caller = await authenticate(credentials);
    const target = await findTarget(prisma, caller, path, credentials.params);
    const decision = authorize(caller, access.scope, target);
    if (!decision.allowed) throw new AppError(decision.code, { detail: decision.detail });
    if (target.kind !== 'project' || target.project === null) return { caller };
    return { caller, project: target.project, level: decision.level };
  };
}

type FoundTarget = Exclude<Target, { kind: 'project' }> | { kind: 'project'; project: ProjectAccess['project'] | null };

async function findTarget(prisma: PrismaClient, caller: Caller, path: string, params: Credentials['params']): Promise<FoundTarget> {
  if (path.includes('/:project_id')) {
    const id = projectIdOf(params['project_id'] ?? '', caller);
    const select = { id: true, organizationId: true, timezone: true } as const;
    return { kind: 'project', project: id === null ? null : await prisma.project.findFirst({ where: { id, deletedAt: null }, select }) };
  }
  if (path.includes('/:organization_id')) {
    const id = organizationIdOf(params['organization_id'] ?? '', caller);
    return { kind: 'organization', organization: id === null ? null : await prisma.organization.findUnique({ where: { id }, select: { id: true } }) };
  }
  return { kind: 'user' };
}

function projectIdOf(text: string, caller: Caller): number | null {
  if (text === '@current') return caller.currentProjectId;
  return /^\d{1,10}$/.test(text) && Number(text) <= projectIdMax ? Number(text) : null;
}

function organizationIdOf(text: string, caller: Caller): string | null {
  if (text === '@current') return caller.currentOrganizationId;
  return isUuid(text) ? text.toLowerCase() : null;
}
