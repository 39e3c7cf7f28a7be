import type { Scope } from '@millrace/contracts/scopes.ts';

/** Who calls: a key and the user it acts as. */
export interface Caller {
  keyId: string;
  userId: number;
  scopes: readonly string[];
  /** Projects the key is limited to; empty: not limited. */
  scopedProjects: readonly number[];
  /** Organizations the key is limited to; empty: not limited. */
  scopedOrganizations: readonly string[];
  currentProjectId: number | null;
  currentOrganizationId: string | null;
  /** The user's membership level by organization id. */
  levels: Readonly<Record<string, number>>;
}

/** What a route's path is about, as found in the database; null: there is no such thing. */
export type Target =
  | { kind: 'project'; project: { id: number; organizationId: string } | null }
  | { kind: 'organization'; organization: { id: string } | null }
  | { kind: 'user' };

export type Decision =
  | { allowed: true; level: number }
  | { allowed: false; code: 'not_found' | 'permission_denied'; detail: string };

/**
 * Whether the key may do what needs `scope` on the target: steps 3 to 7 of contract/orgs-errors 1.3, in their order.
 * Whoever may not see a project or organization reads the same sentence for every reason (contract/decisions 39). Pure.
 */
export function authorize(caller: Caller, scope: Scope, target: Target): Decision {
  const missing = missingTarget(target);
  if (missing !== undefined) return { allowed: false, code: 'not_found', detail: missing };
  const outside = noAccess(target);
  if (!keyReaches(caller, target)) return denied(outside);
  if (!holdsScope(caller.scopes, scope)) return denied(`API key missing required scope '${scope}'`);
  if (target.kind === 'user') return { allowed: true, level: 0 };
  const level = caller.levels[organizationOf(target) ?? ''];
  return level === undefined ? denied(outside) : { allowed: true, level };
}

/** Write includes read on the same object; `*` includes everything (contract/orgs-errors 1.3). */
export function holdsScope(held: readonly string[], needed: Scope): boolean {
  return held.includes('*') || held.includes(needed) || held.includes(needed.replace(/:read$/, ':write'));
}

function missingTarget(target: Target): string | undefined {
  if (target.kind === 'project' && target.project === null) return 'Project not found.';
  if (target.kind === 'organization' && target.organization === null) return 'Organization not found.';
  return undefined;
}

function keyReaches(caller: Caller, target: Target): boolean {
  if (target.kind === 'user') return true;
  if (caller.scopedProjects.length > 0) {
    if (target.kind !== 'project' || !caller.scopedProjects.includes(target.project?.id ?? -1)) return false;
  }
  return caller.scopedOrganizations.length === 0 || caller.scopedOrganizations.includes(organizationOf(target) ?? '');
}

function organizationOf(target: Target): string | undefined {
  if (target.kind === 'project') return target.project?.organizationId;
  return target.kind === 'organization' ? target.organization?.id : undefined;
}

function noAccess(target: Target): string {
  if (target.kind === 'project') return `This API key has no access to project ${target.project?.id}.`;
  if (target.kind === 'organization') return `This API key has no access to organization ${target.organization?.id}.`;
  return 'You do not have permission to perform this action.';
}

function denied(detail: string): Decision {
  return { allowed: false, code: 'permission_denied', detail };
}
