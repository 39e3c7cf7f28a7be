import { AppError } from '@millrace/http/errors/errors.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { recordActivity } from '../activity-log.ts';
import { isUniqueViolation } from '../database/prisma-errors.ts';
import { requireOrganization } from './checks.ts';

/** Labels of letters, digits and hyphens; at least two. Names in other scripts are given as DNS has them (`xn--…`). */
const domainForm = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Operations of the command line on the mail domains of organizations. */
export function createDomainAdmin(prisma: PrismaClient) {
  return {
    /** From now on the domain is proven to be the organization's. Whoever calls this has made sure that it is. */
    async verifyDomain({ organizationId, domain: text }: { organizationId: string; domain: string }) {
      await requireOrganization(prisma, organizationId);
      const domain = requireDomain(text);
      try {
        await prisma.$transaction(async (transaction) => {
          await transaction.organizationDomain.create({ data: { domain, organizationId } });
          await recordActivity(transaction, 'command line', {
            organizationId,
            itemType: 'organization_domain',
            itemId: domain,
            activity: 'created',
            after: { domain },
          });
        });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        const { organizationId: owner } = await prisma.organizationDomain.findUniqueOrThrow({ where: { domain } });
        throw new AppError('unique', {
          attr: 'domain',
          detail: `${domain} is verified already, for the organization ${owner}.`,
          cause: error,
        });
      }
      return { organizationId, domain };
    },

    /** Removes the domain from its organization. */
    async removeDomain({ domain: text }: { domain: string }) {
      const domain = requireDomain(text);
      return await prisma.$transaction(async (transaction) => {
        const found = await transaction.organizationDomain.findUnique({ where: { domain } });
        if (found === null)
          throw new AppError('does_not_exist', {
            attr: 'domain',
            detail: `${domain} is verified for no organization.`,
          });
        await transaction.organizationDomain.delete({ where: { domain } });
        const { organizationId } = found;
        await recordActivity(transaction, 'command line', {
          organizationId,
          itemType: 'organization_domain',
          itemId: domain,
          activity: 'deleted',
          before: { domain },
        });
        return { organizationId, domain };
      });
    },
  };
}

function requireDomain(text: string): string {
  const domain = text.trim().toLowerCase();
  if (domainForm.test(domain)) return domain;
  throw new AppError('invalid_input', { attr: 'domain', detail: `"${text}" is not the name of a mail domain.` });
}
