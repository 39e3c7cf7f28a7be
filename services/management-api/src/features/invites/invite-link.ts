import { String as StringType } from 'typebox';
import { randomToken } from '@millrace/runtime/ids.ts';

/** The secret of a link. */
export const InviteToken = StringType({
  pattern: '^[0-9A-Za-z]{20,60}$',
  description: 'The end of the link.',
  examples: ['mVq3Zk81TbYc7RxW0sHd5NfJ2LgPa9Ue'],
});

/** A secret that cannot be guessed: 256 bits. */
export function newInviteToken(): string {
  return randomToken('', 32);
}

/** Address of the page for the holder of the secret. */
export function inviteLink(base: string, token: string): string {
  return `${base}/invites/${token}`;
}
