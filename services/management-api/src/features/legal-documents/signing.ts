import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { randomToken } from '@millrace/runtime/ids.ts';
import { hashKey } from '../../auth/key-hash.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { StoredDocument } from './legal-document.ts';
import { requestMail } from './signing-mails.ts';

/** Whoever gets documents signed. */
export interface SigningProvider {
  /** Requests a signature from the representative. @throws when that failed: nothing was requested */
  request(document: StoredDocument): Promise<void>;
  /**
   * Takes the request back; a document whose signature was never requested is as good.
   * @throws when that failed: it can still be signed
   */
  withdraw(document: StoredDocument): Promise<void>;
}

interface Parts {
  prisma: PrismaClient;
  mailer: Mailer;
  /** Prefix of links in mails. */
  linkBase: () => string;
}

/** Signing without an outside service: the link that is mailed to the representative opens a page of this API for reading and signing. */
export function createMailedSigning({ prisma, mailer, linkBase }: Parts): SigningProvider {
  return {
    async request(document) {
      const token = randomToken('', 32);
      const { name } = await prisma.organization.findUniqueOrThrow({
        where: { id: document.organizationId },
        select: { name: true },
      });
      // Before the mail is sent: a void link would be worse than none.
      await prisma.legalDocument.updateMany({ where: { id: document.id }, data: { signingTokenHash: hashKey(token) } });
      await mailer.send(requestMail(document, { organizationName: name, link: signingLink(linkBase(), token) }));
    },
    async withdraw({ id }) {
      await prisma.legalDocument.updateMany({
        where: { id, NOT: { status: 'signed' } },
        data: { signingTokenHash: null },
      });
    },
  };
}

/** Address of the page for the holder of the secret. */
const signingLink = (base: string, token: string): string => `${base}/legal-documents/${token}`;
