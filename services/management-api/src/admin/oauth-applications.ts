import { AppError } from '@millrace/http/errors/errors.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { randomToken, uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity } from '../activity-log.ts';
import { isUniqueViolation } from '../database/prisma-errors.ts';
import { requireOrganization, requireText } from './checks.ts';

interface WantedApplication {
  organizationId: string;
  name: string;
  redirectUris: readonly string[];
  /** Made when it is not given. At most 2,048 characters (contract/decisions 19). */
  clientId?: string;
  isVerified?: boolean;
}

/** Operations of the command line on OAuth applications. */
export function createOauthApplicationAdmin(prisma: PrismaClient, clock: Clock) {
  return {
    async createOauthApplication({ organizationId, isVerified = false, ...wanted }: WantedApplication) {
      await requireOrganization(prisma, organizationId);
      const name = requireText('name', wanted.name, 255);
      const clientId =
        wanted.clientId === undefined ? randomToken('', 30) : requireText('client_id', wanted.clientId, 2048);
      const redirectUris = wanted.redirectUris.map(requireRedirectUri);
      const now = new Date(clock.nowMs());
      const data = {
        id: uuidV7(now.getTime()),
        organizationId,
        name,
        clientId,
        redirectUris,
        isVerified,
        created: now,
        updated: now,
      };
      try {
        await prisma.$transaction(async (transaction) => {
          await transaction.oauthApplication.create({ data });
          const after = { name, client_id: clientId, redirect_uris_list: redirectUris, is_verified: isVerified };
          await recordActivity(transaction, 'command line', {
            organizationId,
            itemType: 'oauth_application',
            itemId: data.id,
            activity: 'created',
            after,
          });
        });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw new AppError('unique', {
          attr: 'client_id',
          detail: `There is an application with the client id ${clientId} already.`,
          cause: error,
        });
      }
      return { id: data.id, organizationId, name, clientId, redirectUris, isVerified };
    },
  };
}

/** An absolute address without fragment, as OAuth wants it; it may be of an application's own scheme. */
function requireRedirectUri(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isScript = url !== null && ['javascript:', 'data:', 'vbscript:'].includes(url.protocol);
  if (url !== null && url.hash === '' && !isScript && text.length <= 2048) return text;
  throw new AppError('invalid_input', { attr: 'redirect_uris', detail: `"${text}" is not a valid redirect address.` });
}
