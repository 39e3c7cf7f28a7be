import { plainLine } from '@millrace/http/plain-line.ts';
import type { LegalDocument } from '@millrace/postgres/generated/client.ts';
import type { ObjectStorage } from '@millrace/object-storage/object-storage.ts';

/** Address at which the signed document can be downloaded for a while; null: there is none. */
export async function linkToSigned(
  storage: ObjectStorage | undefined,
  { signedPdfKey, documentType, companyName }: Pick<LegalDocument, 'signedPdfKey' | 'documentType' | 'companyName'>,
  addressing: { lifetimeSeconds: number; baseUrl: string },
): Promise<string | null> {
  if (storage === undefined || signedPdfKey === null || (await storage.head(signedPdfKey)) === undefined) return null;
  return storage.presignGet(signedPdfKey, {
    ...addressing,
    contentType: 'application/pdf',
    fileName: `${documentType} ${plainLine(companyName)}.pdf`,
  });
}
