import { String as StringType } from 'typebox';
import type { Caller } from '../auth/caller.ts';

const userParameter = (example: string) =>
  StringType({
    pattern: '^(?:@me|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
    description: 'UUID of the user, or `@me`.',
    examples: [example],
  });

/** A user in a path: a UUID, or `@me` for the caller (contract/orgs-errors 1.1). */
export const UserParameter = userParameter('@me');

/** A user in a path of a route that is not tried on the caller: its example is another user. */
export const OtherUserParameter = userParameter('01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d');

/** The UUID that the parameter means, in lower case. */
export function userUuidOf(parameter: string, { userUuid }: Caller): string {
  return parameter === '@me' ? userUuid : parameter.toLowerCase();
}
