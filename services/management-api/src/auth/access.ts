import { needsKey, takesRunTokens, type Access, type Guarded } from '@millrace/http/define-route.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Credentials } from '@millrace/http/requests/credentials.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { authorize, requirementOf, type Call, type Target } from './authorize.ts';
import type { Callers, Wanted } from './caller-store.ts';
import { hasEnded } from './ends.ts';
import { findCredential, type Credential } from './find-credential.ts';
import { hashKey } from './key-hash.ts';
import { type RunTokens } from './run-tokens.ts';
import type { RecordUse } from './record-use.ts';
import type { Throttles } from './throttles.ts';
import type { FoundCaller, Organization, Project } from './caller.ts';
import { isRunToken } from './run-token-value.ts';
import type { OrganizationAccess, ProjectAccess, UserAccess } from './granted-access.ts';

interface AccessParts {
  clock: Clock;
  callers: Callers;
  recordUse: RecordUse;
  throttles: Throttles;
  runTokens: RunTokens;
}

const projectIdMax = 2_147_483_647;

/** Decides which caller may call which route (contract/orgs-errors 1.2, 1.3, 1.6). */
export function createAccess({ clock, callers, recordUse, throttles, runTokens }: AccessParts) {
  async function identify(
    credential: Credential | null,
    wanted: Wanted,
  ): Promise<{ keyHash: string; found: FoundCaller | null } & Pick<Call, 'credential' | 'endedAtMs'>> {
    if (credential === null) return { credential, keyHash: '', found: null, endedAtMs: null };
    const keyHash = hashKey(credential.value);
    const found = await callers.find(keyHash, wanted);
    // Checked with each call: no change is written when a cached key expires.
    if (found === null) return { credential, keyHash, found, endedAtMs: null };
    if (hasEnded(found.caller, clock.nowMs()))
      return { credential, keyHash, found: null, endedAtMs: found.caller.expiresAtMs };
    await recordUse(found);
    return { credential, keyHash, found, endedAtMs: null };
  }

  return {
    /** Only who calls. @throws {AppError} 401 */
    async authenticate(credentials: Credentials): Promise<void> {
      const { credential, found, endedAtMs } = await identify(await findCredential(credentials), { kind: 'user' });
      decide({
        credential,
        caller: found?.caller ?? null,
        endedAtMs,
        requires: { scope: 'any', level: 0 },
        target: { kind: 'user' },
      });
    },

    /**
     * Finds the caller, and checks whether the key may call the route on the object of its path, and how often.
     * @throws {AppError} 401, 403, 404 or 429
     */
    async authorize(
      { access, path, throttle }: Guarded,
      credentials: Credentials,
    ): Promise<ProjectAccess | OrganizationAccess | UserAccess | null> {
      if (!needsKey(access)) return withoutKey(access);
      const given = await findCredential(credentials);
      if (given !== null && takesRunTokens(access) && isRunToken(given.value))
        return await runTokens.admit(given, credentials.params, throttles);
      const { credential, keyHash, found, endedAtMs } = await identify(given, wantedBy(path, credentials.params));
      const project = found?.project ?? null;
      const organization = found?.organization ?? null;
      const caller = found?.caller ?? null;
      const level = decide({
        credential,
        caller,
        endedAtMs,
        requires: requirementOf(access),
        target: targetOf(path, credentials.params, project, organization),
      });
      if (caller === null) throw new Error('a call of nobody was allowed');
      await throttles.take(keyHash, project?.id ?? null, throttle);
      if (project !== null) return { caller, project, level };
      return organization === null ? { caller } : { caller, organization, level };
    },
  };
}

function withoutKey(access: Access): null {
  if (access === 'public') return null;
  throw new Error('project tokens are for capture');
}

function decide(call: Call): number {
  const decision = authorize(call);
  if (!decision.allowed) throw new AppError(decision.code, { detail: decision.detail });
  return decision.level;
}

function wantedBy(path: string, params: Credentials['params']): Wanted {
  if (path.includes('/:project_id')) return { kind: 'project', id: projectIdOf(params['project_id'] ?? '') };
  if (path.includes('/:organization_id'))
    return { kind: 'organization', id: organizationIdOf(params['organization_id'] ?? '') };
  return { kind: 'user' };
}

function projectIdOf(text: string): number | '@current' | null {
  if (text === '@current') return text;
  return /^\d{1,10}$/.test(text) && Number(text) <= projectIdMax ? Number(text) : null;
}

function organizationIdOf(text: string): string | null {
  if (text === '@current') return text;
  return isUuid(text) ? text.toLowerCase() : null;
}

function targetOf(
  path: string,
  params: Credentials['params'],
  project: Project | null,
  organization: Organization | null,
): Target {
  if (path.includes('/:project_id')) return { kind: 'project', project, given: params['project_id'] };
  return path.includes('/:organization_id')
    ? { kind: 'organization', organization, given: params['organization_id'] }
    : { kind: 'user' };
}
