import { AppError } from '@millrace/http/errors.ts';
import type { Credentials } from '@millrace/http/serve-route.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Caller } from './authorize.ts';
import type { CallerStore, Project, WantedProject } from './caller-store.ts';
import { findCredential } from './find-credential.ts';
import { hashKey } from './key-hash.ts';

const lastUsedEveryMs = 3_600_000;

/** Who calls, and the project that the call is about (null: there is none, or none was wanted). */
export interface Authenticated {
  caller: Caller;
  project: Project | null;
}

export type Authenticate = (credentials: Credentials, wanted?: WantedProject) => Promise<Authenticated>;

/**
 * Whose key a request carries. Looked up at every request, so that a revoked key is worth nothing at once; the project
 * comes with the same question. Writes `last_used_at` at most once an hour.
 * @throws {AppError} not_authenticated without a key, authentication_failed for one that is unknown, revoked, or of an
 * inactive user
 */
export function createAuthenticate(callers: CallerStore, clock: Clock): Authenticate {
  return async (credentials, wanted = null) => {
    const credential = findCredential(credentials);
    if (credential === null) throw new AppError('not_authenticated');
    const found = await callers.find(hashKey(credential.value), wanted);
    if (found === null) {
      throw new AppError('authentication_failed', { detail: `Personal API key found in ${locationOf(credential.source)} is invalid.` });
    }
    const { caller, project, lastUsedAt } = found;
    const nowMs = clock.nowMs();
    if (lastUsedAt === null || lastUsedAt.getTime() < nowMs - lastUsedEveryMs) await callers.noteUse(caller.keyId, nowMs);
    return { caller, project };
  };
}

function locationOf(source: string): string {
  return source === 'Authorization header' ? 'request Authorization header' : source;
}
