import { Object as ObjectType, String as StringType, Unsafe, type Static } from 'typebox';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity } from '../../activity-log.ts';
import { organizationRoute, type Context } from './context.ts';
import { isMailAddress } from '../../mail/address.ts';
import { isUniqueViolation } from '../../database/prisma-errors.ts';
import { inOneRow } from './document-facts.ts';
import { fillText } from './fill-text.ts';
import {
  describeLegalDocument,
  LegalDocument,
  legalDocumentsPath,
  renderLegalDocument,
  submittedTypes,
  withCreator,
  type StoredDocument,
  type SubmittedType,
} from './legal-document.ts';

const Body = ObjectType(
  {
    document_type: Unsafe<SubmittedType>({
      type: 'string',
      enum: [...submittedTypes],
      description: 'BAA or DPA.',
      examples: ['DPA'],
    }),
    company_name: StringType({ format: 'line', minLength: 1, maxLength: 255, examples: ['Acme Ltd'] }),
    company_address: StringType({
      format: 'line',
      minLength: 1,
      maxLength: 512,
      description: 'On one line.',
      examples: ['1 Mill Lane, Springfield'],
    }),
    representative_email: StringType({
      format: 'email',
      minLength: 1,
      maxLength: 254,
      examples: ['legal@example.com'],
      description: 'Who signs: the link to the document is mailed there.',
    }),
  },
  { title: 'LegalDocumentCreate' },
);

export const createLegalDocument = organizationRoute({
  operationId: 'create_legal_document',
  method: 'post',
  path: legalDocumentsPath,
  access: { scope: 'legal_document:write', level: membershipLevels.admin },
  tag: 'Legal documents',
  summary: 'Submit a legal document for signature; one of each type',
  body: Body,
  responses: { 201: LegalDocument },
  async handler({ body, auth: { organization, caller }, context }) {
    const wanted = readBody(body);
    if (wanted.documentType === 'BAA' && !context.legal.isBaaAllowed)
      throw new AppError('permission_denied', { detail: 'A BAA cannot be submitted on this system.' });
    const document = await save(context, organization.id, caller, wanted);
    try {
      await context.legal.signing.request(document);
    } catch (err) {
      // It stays: deleted and submitted again, it is requested again.
      context.logger.error(
        { err, legalDocumentId: document.id },
        'the signature of a legal document could not be requested',
      );
      await context.mailBudget.failed(context.prisma, {
        organizationId: organization.id,
        kind: `signing ${wanted.documentType}`,
        address: wanted.representativeEmail,
      });
    }
    return renderLegalDocument(document);
  },
});

interface WantedDocument {
  documentType: SubmittedType;
  companyName: string;
  companyAddress: string;
  representativeEmail: string;
}

function readBody(body: Static<typeof Body>): WantedDocument {
  if (!isMailAddress(body.representative_email))
    throw new AppError('invalid_input', { attr: 'representative_email', detail: 'Enter a valid email address.' });
  const texts = { company_name: inOneRow(body.company_name), company_address: inOneRow(body.company_address) };
  for (const [attr, text] of Object.entries(texts)) if (text === '') throw new AppError('blank', { attr });
  return {
    documentType: body.document_type,
    companyName: texts.company_name,
    companyAddress: texts.company_address,
    representativeEmail: body.representative_email,
  };
}

async function save(
  { prisma, clock, legal, mailer, mailBudget }: Context,
  organizationId: string,
  caller: { userId: number; keyId: string },
  wanted: WantedDocument,
): Promise<StoredDocument> {
  const nowMs = clock.nowMs();
  const text = fillText(legal.texts[wanted.documentType], { operator: legal.operatorName, nowMs });
  const data = {
    id: uuidV7(nowMs),
    organizationId,
    ...wanted,
    text,
    createdById: caller.userId,
    createdAt: new Date(nowMs),
  };
  try {
    return await prisma.$transaction(async (transaction) => {
      const document = await transaction.legalDocument.create({ data, include: withCreator });
      if (mailer.isConfigured)
        await mailBudget.take(transaction, {
          organizationId,
          kind: `signing ${wanted.documentType}`,
          addresses: [wanted.representativeEmail],
        });
      await recordActivity(transaction, caller, {
        organizationId,
        itemType: 'legal_document',
        itemId: document.id,
        activity: 'created',
        after: describeLegalDocument(document),
      });
      return document;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('invalid_input', {
      attr: 'document_type',
      detail: `The organization has a ${wanted.documentType} already.`,
      cause: error,
    });
  }
}
