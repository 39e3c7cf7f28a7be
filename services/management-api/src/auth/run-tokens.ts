import { isPlaceholder } from '@millrace/contracts/placeholders.ts';
import type { Credentials } from '@millrace/http/requests/credentials.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Credential } from './find-credential.ts';
import { endedWords, hasEnded } from './ends.ts';
import { hashKey } from './key-hash.ts';
import type { RunToken, RunTokenStore } from './run-token-store.ts';
import { refuseUntil, type ThrottleCounter, type Throttles } from './throttles.ts';
import type { ProjectAccess } from './granted-access.ts';

/** Lets calls with a run token in, in the place of a caller with a key. */
export interface RunTokens {
  /**
   * Lets the token run what the path names, if that is the endpoint it was made for.
   * @throws {AppError} 401: there is no such token, or its time has come; 403: the path names anything else, whether it is there or not; 429
   */
  admit(credential: Credential, params: Credentials['params'], throttles: Throttles): Promise<ProjectAccess>;
}

/** Admits by the tokens of the store; each token's own rate is counted beside the general ones. */
export function createRunTokens({
  tokens,
  counter,
  clock,
}: {
  tokens: RunTokenStore;
  counter: ThrottleCounter;
  clock: Clock;
}): RunTokens {
  return {
    async admit({ value, source }, params, throttles) {
      const hash = hashKey(value);
      const token = await tokens.find(hash);
      // Checked with each call: no change is written when a cached token expires.
      if (token === null || hasEnded(token, clock.nowMs())) {
        const hint = isPlaceholder(value) ? ' It is a placeholder. Write a run token of this endpoint.' : '';
        const words = endedWords(token?.expiresAtMs ?? null) || hint;
        throw new AppError('authentication_failed', { detail: `Run token found in ${source} is invalid.${words}` });
      }
      if (params['project_id'] !== String(token.project.id) || params['name'] !== token.endpoint.name) {
        throw new AppError('permission_denied', {
          detail: 'This token can run only one endpoint, and this is another one.',
        });
      }
      await throttles.take(hash, token.project.id, 'runs');
      if (token.runsPerMinute !== null)
        refuseUntil(await counter.take(`run_token:${token.id}`, [{ limit: token.runsPerMinute, windowMs: 60_000 }]));
      return { caller: nobodyWith(token), project: token.project, level: 0, runToken: token };
    },
  };
}

/** A token acts for no user, and holds no scope. */
function nobodyWith({ id, expiresAtMs }: RunToken): ProjectAccess['caller'] {
  return {
    keyId: id,
    keyHash: '',
    userId: 0,
    userUuid: '',
    scopes: [],
    scopedProjects: [],
    scopedOrganizations: [],
    expiresAtMs,
    currentProjectId: null,
    currentOrganizationId: null,
    levels: {},
  };
}
