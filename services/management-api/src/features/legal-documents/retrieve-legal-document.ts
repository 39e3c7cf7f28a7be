import { organizationRoute } from './context.ts';
import {
  findLegalDocument,
  LegalDocument,
  LegalDocumentId,
  legalDocumentPath,
  renderLegalDocument,
} from './legal-document.ts';

export const retrieveLegalDocument = organizationRoute({
  operationId: 'retrieve_legal_document',
  method: 'get',
  path: legalDocumentPath,
  params: { id: LegalDocumentId },
  access: { scope: 'legal_document:read' },
  tag: 'Legal documents',
  summary: 'Retrieve a legal document',
  responses: { 200: LegalDocument },
  handler: async ({ params, auth, context }) =>
    renderLegalDocument(await findLegalDocument(context.prisma, auth.organization.id, params.id)),
});
