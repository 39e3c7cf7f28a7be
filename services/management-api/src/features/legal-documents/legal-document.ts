import { Boolean, Object as ObjectType, String as StringType, Unsafe, type Static } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import type { LegalDocument as StoredLegalDocument, PrismaClient, User } from '@millrace/postgres/generated/client.ts';

export const legalDocumentsPath = '/api/organizations/:organization_id/legal_documents';
export const legalDocumentPath = '/api/organizations/:organization_id/legal_documents/:id';

export const LegalDocumentId = StringType({ format: 'uuid', description: 'Id of the document.' });

/** Types that can be submitted; an `MSA` can be stored by other means (contract/orgs-errors 2.3). */
export const submittedTypes = ['BAA', 'DPA'] as const;
export type SubmittedType = (typeof submittedTypes)[number];

const Creator = ObjectType(
  { first_name: StringType({ examples: ['Ann'] }), email: StringType({ examples: ['ann@example.com'] }) },
  { title: 'LegalDocumentCreator' },
);

/** A legal document as the API shows it (contract/orgs-errors 2.3). */
export const LegalDocument = ObjectType(
  {
    id: LegalDocumentId,
    document_type: StringType({ enum: [...submittedTypes, 'MSA'], examples: ['DPA'] }),
    company_name: StringType({ examples: ['Acme Ltd'] }),
    representative_email: StringType({ examples: ['legal@example.com'] }),
    status: StringType({ enum: ['submitted_for_signature', 'signed'] }),
    signed_pdf_stored: Boolean({ description: 'Whether the signed document can be downloaded.' }),
    created_by: Unsafe<Static<typeof Creator> | null>({ anyOf: [Creator, { type: 'null' }] }),
    created_at: StringType({ format: 'date-time' }),
  },
  { title: 'LegalDocument' },
);

/** A document with the user who submitted it; null: a deleted user. */
export type StoredDocument = StoredLegalDocument & { createdBy: Pick<User, 'firstName' | 'email'> | null };

export const withCreator = { createdBy: { select: { firstName: true, email: true } } } as const;

export const isSigned = ({ status }: Pick<StoredLegalDocument, 'status'>): boolean => status === 'signed';

/** The document as the API shows it. Pure. */
export function renderLegalDocument(document: StoredDocument): Static<typeof LegalDocument> {
  const { createdBy } = document;
  return {
    id: document.id,
    ...describeLegalDocument(document),
    created_by: createdBy === null ? null : { first_name: createdBy.firstName, email: createdBy.email },
    created_at: document.createdAt.toISOString(),
  };
}

/** Its form in the activity log. Pure. */
export function describeLegalDocument(document: StoredLegalDocument) {
  return {
    document_type: document.documentType,
    company_name: document.companyName,
    representative_email: document.representativeEmail,
    status: document.status,
    signed_pdf_stored: document.signedPdfKey !== null,
  };
}

/** The document of an organization. @throws {AppError} not_found */
export async function findLegalDocument(
  prisma: Pick<PrismaClient, 'legalDocument'>,
  organizationId: string,
  id: string,
): Promise<StoredDocument> {
  const found = await prisma.legalDocument.findFirst({ where: { id, organizationId }, include: withCreator });
  if (found === null) throw notFound('This organization has no legal document with the id', id);
  return found;
}
