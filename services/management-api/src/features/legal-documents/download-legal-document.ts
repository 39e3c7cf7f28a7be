import { AppError } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { organizationRoute } from './context.ts';
import { findLegalDocument, LegalDocumentId, legalDocumentPath } from './legal-document.ts';
import { linkToSigned } from './signed-file.ts';

const linkSeconds = 60;

export const downloadLegalDocument = organizationRoute({
  operationId: 'download_legal_document',
  method: 'get',
  path: `${legalDocumentPath}/download`,
  params: { id: LegalDocumentId },
  access: { scope: 'legal_document:read' },
  tag: 'Legal documents',
  summary: 'Go to the signed document, a PDF, by an address that is good for 60 seconds',
  responses: { 302: null },
  async handler({ params, auth, context, request }) {
    const document = await findLegalDocument(context.prisma, auth.organization.id, params.id);
    const location = await linkToSigned(context.storage, document, {
      lifetimeSeconds: linkSeconds,
      baseUrl: context.baseUrl(request),
    });
    if (location === null) throw new AppError('not_found', { detail: 'There is no signed document to download.' });
    return reply(302, undefined, { location, 'cache-control': 'no-store' });
  },
});
