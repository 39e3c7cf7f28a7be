import { AppError } from '@millrace/http/errors.ts';
import type { Access } from '@millrace/http/define-route.ts';
import type { Credentials } from '@millrace/http/serve-route.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { Authenticate, Authenticated } from './authenticate.ts';
import { authorize, type Caller, type Target } from './authorize.ts';
import type { Project, WantedProject } from './caller-store.ts';

/** What a handler of a project's route knows about its call. */
export interface ProjectAccess {
  caller: Caller;
  project: Project;
  /** The caller's membership level in the project's organization. */
  level: number;
}

const projectIdMax = 2_147_483_647;

/**
 * Checks a call before anything else is looked at: who (401), the project or organization of the path (404), and what
 * `authorize` decides (403).
 */
export function createAccess(prisma: PrismaClient, authenticate: Authenticate) {
  return async (access: Access, path: string, credentials: Credentials): Promise<ProjectAccess | { caller: Caller } | null> => {
    if (access === 'public') return null;
    if (access === 'project-token') throw new Error('project tokens are for capture');
    const authenticated = await authenticate(credentials, wantedProject(path, credentials.params));
    const { caller } = authenticated;
    const target = await findTarget(prisma, authenticated, path, credentials.params);
    const decision = authorize(caller, access.scope, target);
    if (!decision.allowed) throw new AppError(decision.code, { detail: decision.detail });
    if (target.kind !== 'project' || target.project === null) return { caller };
    return { caller, project: target.project, level: decision.level };
  };
}

function wantedProject(path: string, params: Credentials['params']): WantedProject {
  const text = path.includes('/:project_id') ? (params['project_id'] ?? '') : '';
  if (text === '@current') return text;
  return /^\d{1,10}$/.test(text) && Number(text) <= projectIdMax ? Number(text) : null;
}

type FoundTarget = Exclude<Target, { kind: 'project' }> | { kind: 'project'; project: Project | null };

async function findTarget(prisma: PrismaClient, { caller, project }: Authenticated, path: string, params: Credentials['params']): Promise<FoundTarget> {
  if (path.includes('/:project_id')) return { kind: 'project', project };
  if (path.includes('/:organization_id')) {
    const id = organizationIdOf(params['organization_id'] ?? '', caller);
    return { kind: 'organization', organization: id === null ? null : await prisma.organization.findUnique({ where: { id }, select: { id: true } }) };
  }
  return { kind: 'user' };
}

function organizationIdOf(text: string, caller: Caller): string | null {
  if (text === '@current') return caller.currentOrganizationId;
  return isUuid(text) ? text.toLowerCase() : null;
}
