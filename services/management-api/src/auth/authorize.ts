import { isPlaceholder } from '@millrace/contracts/placeholders.ts';
import { membershipLevels, type MembershipLevel } from '@millrace/contracts/membership-levels.ts';
import type { Scope } from '@millrace/contracts/scopes.ts';
import type { Access } from '@millrace/http/define-route.ts';
import type { ErrorCode } from '@millrace/http/errors/error-table.ts';
import { endedWords } from './ends.ts';
import { notProvided, type Credential } from './find-credential.ts';
import type { Caller } from './caller.ts';
import type { Project } from './caller.ts';
import { isRunToken } from './run-token-value.ts';

/** Object of a route's path, as found in the database; null: there is none. `given` is the text in the path. */
export type Target =
  | { kind: 'project'; project: Omit<Project, 'timezone'> | null; given?: string | undefined }
  | { kind: 'organization'; organization: { id: string } | null; given?: string | undefined }
  | { kind: 'user' };

/** Requirements of a route on its callers. */
export interface Requirement {
  /** `any`: every key that reaches the target will do; null: no key will. */
  scope: Scope | 'any' | null;
  /** Lowest level of membership. */
  level: MembershipLevel | 0;
}

/** One call: its credential, its caller and its target. */
export interface Call {
  credential: Credential | null;
  /** The owner of the credential; null: unknown. */
  caller: Caller | null;
  /** When the key of this credential ended, for which `caller` is null; null: it has not, or there is none. */
  endedAtMs: number | null;
  requires: Requirement;
  target: Target;
}

/** `level`: the caller's level in the target's organization; at least administrator for an administrator of a private project. */
export type Decision = { allowed: true; level: number } | Denial;

type Denial = { allowed: false; code: ErrorCode; detail: string };
type KnownCall = Call & { caller: Caller };

/**
 * Steps 2 to 8 of contract/orgs-errors 1.3, in their order: each returns the reason why the call is refused, or undefined. A
 * caller who may not see a project or organization reads the same sentence for every reason (contract/decisions 39).
 */
const steps: readonly ((call: KnownCall) => Denial | undefined)[] = [
  function actionIsForKeys({ requires }) {
    return requires.scope === null ? denied('This action cannot be used with a personal API key.') : undefined;
  },
  function targetIsThere({ target }) {
    if (target.kind === 'project' && target.project === null)
      return refused('not_found', `Project not found.${misnamed(target.given, /^\d+$/, 'a number')}`);
    if (target.kind === 'organization' && target.organization === null)
      return refused('not_found', `Organization not found.${misnamed(target.given, /^[\da-f-]{36}$/i, 'a UUID')}`);
    return undefined;
  },
  function keyReachesProject({ caller, target }) {
    if (target.kind === 'user' || caller.scopedProjects.length === 0) return undefined;
    return target.kind === 'project' && caller.scopedProjects.includes(target.project?.id ?? -1)
      ? undefined
      : outOfReach(target);
  },
  function keyReachesOrganization({ caller, target }) {
    if (target.kind === 'user' || caller.scopedOrganizations.length === 0) return undefined;
    return caller.scopedOrganizations.includes(organizationOf(target) ?? '') ? undefined : outOfReach(target);
  },
  function keyHoldsScope({ caller, requires }) {
    if (requires.scope === null || requires.scope === 'any' || holdsScope(caller.scopes, requires.scope))
      return undefined;
    return denied(`API key missing required scope '${requires.scope}'`);
  },
  function userIsMember({ caller, target }) {
    return target.kind === 'user' || levelOf(caller, target) !== undefined ? undefined : outOfReach(target);
  },
  function projectIsOpenToUser({ caller, target }) {
    if (target.kind !== 'project' || target.project === null || !target.project.isPrivate) return undefined;
    const isLetIn = target.project.callerIs !== null || (levelOf(caller, target) ?? 0) >= membershipLevels.admin;
    return isLetIn ? undefined : outOfReach(target);
  },
  function memberHasLevel({ caller, target, requires }) {
    return (levelOf(caller, target) ?? 0) >= requires.level
      ? undefined
      : denied('You do not have permission to perform this action.');
  },
];

/** Decides whether the call is allowed, before its object and body are read (contract/orgs-errors 1.3). Pure. */
export function authorize(call: Call): Decision {
  const { caller, credential, endedAtMs, target } = call;
  if (credential === null) return refused('not_authenticated', notProvided);
  if (caller === null)
    return refused(
      'authentication_failed',
      `Personal API key found in ${credential.source} is invalid.${endedWords(endedAtMs) || mistakenFor(credential.value)}`,
    );
  const known = { ...call, caller };
  for (const step of steps) {
    const denial = step(known);
    if (denial !== undefined) return denial;
  }
  return { allowed: true, level: levelOf(caller, target) ?? 0 };
}

const shownLengthMax = 100;

/** The sentence about a text that newcomers leave for an id. */
function misnamed(given: string | undefined, form: RegExp, kind: string): string {
  if (given === undefined || form.test(given)) return '';
  if (given === '@current') return ' The user of the key has no current one: write an id in place of @current.';
  return ` Its id is ${kind}, not ${JSON.stringify(given.slice(0, shownLengthMax))}.`;
}

/** The sentence about a text that newcomers paste for a key. Depends on its form alone: it does not say whether there is one. */
function mistakenFor(value: string): string {
  if (isPlaceholder(value))
    return ' It is a placeholder. Write your own key: it begins with phx_, and npm start shows it.';
  if (value.startsWith('phc_'))
    return ' It is a project token, which can only send events. Use a personal API key: it begins with phx_.';
  return isRunToken(value)
    ? ' It is a run token, which can only run one endpoint. Use a personal API key: it begins with phx_.'
    : '';
}

/** Write includes read on the same object; `*` includes everything (contract/orgs-errors 1.3). */
export function holdsScope(held: readonly string[], needed: Scope): boolean {
  return held.includes('*') || held.includes(needed) || held.includes(needed.replace(/:read$/, ':write'));
}

/** Requirements of a declaration on callers with a key. */
export function requirementOf(access: Exclude<Access, 'public' | 'project-token'>): Requirement {
  return access === 'personal-key' ? { scope: 'any', level: 0 } : { scope: access.scope, level: access.level ?? 0 };
}

function levelOf(caller: Caller, target: Target): number | undefined {
  const level = caller.levels[organizationOf(target) ?? ''];
  const administers =
    target.kind === 'project' && target.project?.isPrivate === true && target.project.callerIs === 'admin';
  return level !== undefined && administers ? Math.max(level, membershipLevels.admin) : level;
}

function organizationOf(target: Target): string | undefined {
  if (target.kind === 'project') return target.project?.organizationId;
  return target.kind === 'organization' ? target.organization?.id : undefined;
}

function outOfReach(target: Exclude<Target, { kind: 'user' }>): Denial {
  const name = target.kind === 'project' ? `project ${target.project?.id}` : `organization ${target.organization?.id}`;
  return denied(`This API key has no access to ${name}.`);
}

function denied(detail: string): Denial {
  return refused('permission_denied', detail);
}

function refused(code: ErrorCode, detail: string): Denial {
  return { allowed: false, code, detail };
}
