import { randomUUID } from 'node:crypto';
import { newObjectKey } from '@millrace/object-storage/object-storage.ts';
import { hashKey } from '../auth/key-hash.ts';
import type { Seed, TestApi } from './test-api.ts';

const facts = {
  documentType: 'DPA',
  companyName: 'Acme',
  companyAddress: 'Main Street 1',
  representativeEmail: 'ann@example.com',
  text: 'Agreement\n\nBoth agree.',
};

/**
 * Makes, if it is not there, a document of the seed's organization that can be deleted and downloaded, and returns its
 * id.
 */
export async function makeLegalDocument(
  { prisma, storage }: TestApi,
  { organizationId, userId }: Seed,
): Promise<string> {
  const there = await prisma.legalDocument.findFirst({ where: { organizationId } });
  if (there !== null) return there.id;
  const signedPdfKey = newObjectKey('legal_documents', Date.now());
  await storage.put(signedPdfKey, Buffer.from('%PDF'));
  return (
    await prisma.legalDocument.create({
      data: { id: randomUUID(), organizationId, ...facts, signedPdfKey, createdById: userId },
    })
  ).id;
}

/** Makes a document, in an organization that is new each time, and returns the secret of the link to it. */
export async function makeMailedDocument({ prisma }: TestApi, changes: Partial<typeof facts> = {}): Promise<string> {
  const token = randomUUID();
  const organization = await prisma.organization.create({ data: { id: randomUUID(), name: 'Signing' } });
  await prisma.legalDocument.create({
    data: { id: randomUUID(), organizationId: organization.id, ...facts, ...changes, signingTokenHash: hashKey(token) },
  });
  return token;
}
