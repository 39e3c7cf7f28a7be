import { AppError } from '@millrace/http/errors/errors.ts';
import { userUuidOf } from '../../accounts/user-parameter.ts';
import type { Caller } from '../../auth/caller.ts';

/** These routes show nobody else; other users are members of organizations. @throws {AppError} not_found */
export function requireSelf(parameter: string, caller: Caller): void {
  if (userUuidOf(parameter, caller) !== caller.userUuid) throw new AppError('not_found');
}
