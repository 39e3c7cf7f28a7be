import { String as StringType } from 'typebox';
import type { Caller } from '../auth/caller.ts';

/** A user in a path: a UUID, or `@me` for the caller (contract/orgs-errors 1.1). */
export const UserParameter = StringType({
  pattern: '^(?:@me|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
  description: 'UUID of the user, or `@me`.',
});

/** The UUID that the parameter means, in lower case. */
export function userUuidOf(parameter: string, { userUuid }: Caller): string {
  return parameter === '@me' ? userUuid : parameter.toLowerCase();
}
