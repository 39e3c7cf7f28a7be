import { notFound } from '@millrace/http/errors/errors.ts';
import { userUuidOf } from '../../accounts/user-parameter.ts';
import type { Caller } from '../../auth/caller.ts';

/** Allows only the caller's own user; other users are shown as members of organizations. @throws {AppError} not_found */
export function requireSelf(parameter: string, caller: Caller): void {
  if (userUuidOf(parameter, caller) !== caller.userUuid)
    throw notFound('This route is about the user of the key alone: write @me, not', parameter);
}
