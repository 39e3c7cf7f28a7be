import { AppError } from '@millrace/http/errors/errors.ts';
import { newObjectKey } from '@millrace/object-storage/object-storage.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { recordActivity, type Actor } from '../../activity-log.ts';
import type { Context } from './context.ts';
import { describeLegalDocument, withCreator, type StoredDocument } from './legal-document.ts';
import { signedPdf } from './signed-pdf.ts';

/**
 * Signs the document: first the PDF is stored, when there is a storage, then the document is marked as signed. A BAA opts its
 * organization out of AI data processing. Undefined: another request has signed it, or it was withdrawn.
 * @throws {AppError} unavailable, when the storage failed; then it is not signed
 */
export async function signDocument(
  context: Context,
  document: StoredDocument,
  signer: { name: string; title: string },
): Promise<StoredDocument | undefined> {
  const signedAt = new Date(context.clock.nowMs());
  const signedPdfKey = await storePdf(context, document, signer, signedAt);
  const data = { status: 'signed', signedAt, signerName: signer.name, signerTitle: signer.title, signedPdfKey };
  const signed = await context.prisma.$transaction(async (transaction) => {
    const { count } = await transaction.legalDocument.updateMany({
      where: { id: document.id, status: document.status },
      data,
    });
    if (count === 0) return undefined;
    const after = await transaction.legalDocument.findUniqueOrThrow({
      where: { id: document.id },
      include: withCreator,
    });
    await writeDown(transaction, document, after);
    return after;
  });
  if (signed === undefined && signedPdfKey !== null) await context.storage?.delete(signedPdfKey);
  return signed;
}

async function storePdf(
  { storage }: Context,
  document: StoredDocument,
  signer: { name: string; title: string },
  signedAt: Date,
): Promise<string | null> {
  if (storage === undefined) return null;
  const signature = {
    documentId: document.id,
    signerName: signer.name,
    signerTitle: signer.title,
    signerEmail: document.representativeEmail,
    signedAt,
  };
  const pdf = await signedPdf(document, signature);
  const key = newObjectKey('legal_documents', signedAt.getTime());
  try {
    await storage.put(key, pdf);
  } catch (cause) {
    throw new AppError('unavailable', { cause });
  }
  return key;
}

async function writeDown(
  transaction: Prisma.TransactionClient,
  before: StoredDocument,
  after: StoredDocument,
): Promise<void> {
  const { organizationId, id, representativeEmail, documentType } = after;
  const actor: Actor = { address: representativeEmail };
  const shown = {
    before: describeLegalDocument(before),
    after: { ...describeLegalDocument(after), signer_name: after.signerName },
  };
  await recordActivity(transaction, actor, {
    organizationId,
    itemType: 'legal_document',
    itemId: id,
    activity: 'updated',
    ...shown,
  });
  if (documentType !== 'BAA') return;
  const { isAiDataProcessingApproved } = await transaction.organization.findUniqueOrThrow({
    where: { id: organizationId },
  });
  await transaction.organization.update({ where: { id: organizationId }, data: { isAiDataProcessingApproved: false } });
  const consent = {
    before: { is_ai_data_processing_approved: isAiDataProcessingApproved },
    after: { is_ai_data_processing_approved: false },
  };
  await recordActivity(transaction, actor, {
    organizationId,
    itemType: 'organization',
    itemId: organizationId,
    activity: 'updated',
    ...consent,
  });
}
