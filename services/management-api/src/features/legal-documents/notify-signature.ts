import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import type { Context } from './context.ts';
import type { StoredDocument } from './legal-document.ts';
import { signedMail } from './signing-mails.ts';

/** Mails the organization's owners and the signer that the document was signed. A mail that fails is logged, and is no error. */
export async function notifySignature(
  { prisma, mailer, mailBudget, logger }: Pick<Context, 'prisma' | 'mailer' | 'mailBudget' | 'logger'>,
  document: StoredDocument,
): Promise<void> {
  if (!mailer.isConfigured) return;
  const { organizationId, representativeEmail } = document;
  const [organization, owners] = await Promise.all([
    prisma.organization.findUniqueOrThrow({ where: { id: organizationId }, select: { name: true } }),
    prisma.user.findMany({
      where: { isActive: true, memberships: { some: { organizationId, level: membershipLevels.owner } } },
      select: { email: true },
      orderBy: { id: 'asc' },
    }),
  ]);
  const receivers = new Map(
    [...owners.map(({ email }) => email), representativeEmail].map((address) => [address.toLowerCase(), address]),
  );
  const notified = await mailBudget.takeNotices(prisma, { organizationId, addresses: [...receivers.values()] }, 1);
  if (notified.length < receivers.size)
    logger.warn(
      { legalDocumentId: document.id, left: receivers.size - notified.length },
      'not every member was notified of a signature: too many mails of their organization',
    );
  for (const address of notified) {
    try {
      await mailer.send(signedMail(address, document, organization.name));
    } catch (err) {
      logger.error({ err, legalDocumentId: document.id }, 'the mail about a signed document could not be sent');
    }
  }
}
