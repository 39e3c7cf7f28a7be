import { Object as ObjectType, Optional, String as StringType } from 'typebox';
import type { Request } from 'express';
import { isPlainLine, plainLineDetail } from '@millrace/http/plain-line.ts';
import type { BytesReply } from '@millrace/http/replies/reply.ts';
import { hashKey } from '../../auth/key-hash.ts';
import { isFromElsewhere } from '../../pages/page.ts';
import { publicRoute, type Context } from './context.ts';
import { inOneRow } from './document-facts.ts';
import { isSigned, withCreator, type StoredDocument } from './legal-document.ts';
import { signDocument } from './sign-document.ts';
import { linkToSigned } from './signed-file.ts';
import { nothingToSignPage, signedPage, signPage } from './signing-pages.ts';
import { notifySignature } from './notify-signature.ts';

const params = {
  token: StringType({ description: 'The end of the link.', examples: ['mVq3Zk81TbYc7RxW0sHd5NfJ2LgPa9Ue'] }),
};
const path = '/legal-documents/:token';
const Page = StringType({ contentMediaType: 'text/html' });
/** Lifetime of the link on the page of a signed document. */
const linkSeconds = 600;

export const showLegalDocument = publicRoute({
  operationId: 'show_legal_document',
  method: 'get',
  path,
  params,
  access: 'public',
  tag: 'Legal documents',
  summary: 'Show a legal document in a browser, for everyone who has its link; it changes nothing',
  responses: { 200: Page },
  async handler({ params, context, request }) {
    const document = await findByToken(context, params.token);
    if (document === null) return nothingToSignPage();
    return isSigned(document) ? pageOfSigned(context, request, document) : signPage(document, emptyForm);
  },
});

/** Sent by the page. */
const SignForm = ObjectType(
  {
    signer_name: Optional(StringType({ examples: ['Ann Lee'] })),
    signer_title: Optional(StringType({ examples: ['Director'] })),
    agreed: Optional(StringType({ description: '`yes`', examples: ['yes'] })),
  },
  { title: 'LegalDocumentSign' },
);

export const signLegalDocument = publicRoute({
  operationId: 'sign_legal_document',
  method: 'post',
  path,
  params,
  access: 'public',
  tag: 'Legal documents',
  summary: 'Sign a legal document by the form of its page',
  body: SignForm,
  responses: { 200: Page },
  errors: ['unavailable'],
  async handler({ params, context, request, body }) {
    const document = await findByToken(context, params.token);
    if (document === null) return nothingToSignPage();
    if (isSigned(document)) return pageOfSigned(context, request, document);
    const sent = {
      name: inOneRow(body.signer_name ?? ''),
      title: inOneRow(body.signer_title ?? ''),
      isAgreed: body.agreed === 'yes',
    };
    const error = isFromElsewhere(request)
      ? 'The form was sent from another page. Send it from this one.'
      : formErrorOf(sent);
    if (error !== undefined) return signPage(document, sent, error);
    const signed = await signDocument(context, document, sent);
    if (signed !== undefined) {
      void notifySignature(context, signed).catch((err: unknown) =>
        context.logger.error({ err }, 'nobody could be notified of a signature'),
      );
      return pageOfSigned(context, request, signed);
    }
    const now = await findByToken(context, params.token);
    return now === null ? nothingToSignPage() : pageOfSigned(context, request, now);
  },
});

const emptyForm = { name: '', title: '', isAgreed: false };

function findByToken({ prisma }: Context, token: string): Promise<StoredDocument | null> {
  return prisma.legalDocument.findFirst({
    where: { signingTokenHash: hashKey(token), text: { not: null } },
    include: withCreator,
  });
}

async function pageOfSigned(
  { storage, baseUrl }: Context,
  request: Request,
  document: StoredDocument,
): Promise<BytesReply> {
  return signedPage(
    document,
    await linkToSigned(storage, document, { lifetimeSeconds: linkSeconds, baseUrl: baseUrl(request) }),
  );
}

function formErrorOf({
  name,
  title,
  isAgreed,
}: {
  name: string;
  title: string;
  isAgreed: boolean;
}): string | undefined {
  if (name === '') return 'The name is missing. Enter the name of the person who signs.';
  if (name.length > 255 || title.length > 255) return 'Names and titles may have at most 255 characters.';
  if (!isPlainLine(name) || !isPlainLine(title)) return plainLineDetail;
  return isAgreed ? undefined : 'Tick the box to say that you agree. Without it the document cannot be signed.';
}
