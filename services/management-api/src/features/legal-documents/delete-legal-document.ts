import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { recordActivity } from '../../activity-log.ts';
import { organizationRoute } from './context.ts';
import {
  describeLegalDocument,
  findLegalDocument,
  isSigned,
  LegalDocumentId,
  legalDocumentPath,
} from './legal-document.ts';

export const deleteLegalDocument = organizationRoute({
  operationId: 'delete_legal_document',
  method: 'delete',
  path: legalDocumentPath,
  params: { id: LegalDocumentId },
  access: { scope: 'legal_document:write', level: membershipLevels.admin },
  tag: 'Legal documents',
  summary: 'Withdraw a legal document that nobody has signed',
  responses: { 204: null },
  errors: ['legal_document_void_failed'],
  find: ({ params, auth, context }) => findLegalDocument(context.prisma, auth.organization.id, params.id),
  async handler({ found, auth: { caller, organization }, context }) {
    if (isSigned(found)) throw signed();
    try {
      await context.legal.signing.withdraw(found);
    } catch (cause) {
      throw new AppError('legal_document_void_failed', { cause });
    }
    await context.prisma.$transaction(async (transaction) => {
      // Whoever had the page open may have signed meanwhile.
      const { count } = await transaction.legalDocument.deleteMany({
        where: { id: found.id, NOT: { status: 'signed' } },
      });
      if (count === 0 && (await transaction.legalDocument.count({ where: { id: found.id } })) > 0) throw signed();
      if (count === 0) return;
      const before = describeLegalDocument(found);
      await recordActivity(transaction, caller, {
        organizationId: organization.id,
        itemType: 'legal_document',
        itemId: found.id,
        activity: 'deleted',
        before,
      });
    });
    return reply(204, undefined);
  },
});

const signed = (): AppError => new AppError('permission_denied', { detail: 'A signed document cannot be deleted.' });
