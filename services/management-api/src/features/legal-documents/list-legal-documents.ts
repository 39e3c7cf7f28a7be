import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { organizationRoute } from './context.ts';
import { LegalDocument, legalDocumentsPath, renderLegalDocument, withCreator } from './legal-document.ts';

export const listLegalDocuments = organizationRoute({
  operationId: 'list_legal_documents',
  method: 'get',
  path: legalDocumentsPath,
  access: { scope: 'legal_document:read' },
  tag: 'Legal documents',
  summary: 'List the legal documents of an organization, newest first',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(LegalDocument) },
  async handler({ query, auth: { organization }, context, request }) {
    const page = readPage(query);
    const where = { organizationId: organization.id };
    const [count, documents] = await Promise.all([
      context.prisma.legalDocument.count({ where }),
      context.prisma.legalDocument.findMany({
        where,
        include: withCreator,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: page.limit,
        skip: page.offset,
      }),
    ]);
    return pageEnvelope(
      new URL(context.baseUrl(request) + request.originalUrl),
      page,
      count,
      documents.map(renderLegalDocument),
    );
  },
});
