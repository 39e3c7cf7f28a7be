import { asWords } from '../../mail/address.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { StoredDocument } from './legal-document.ts';

const longNames: Readonly<Record<string, string>> = {
  BAA: 'Business Associate Agreement',
  DPA: 'Data Processing Agreement',
  MSA: 'Master Services Agreement',
};

/** Name of a type of document. Pure. */
export const longName = (documentType: string): string => longNames[documentType] ?? documentType;

/** The mail with the link to a document that waits for its signature. Pure. */
export function requestMail(
  document: StoredDocument,
  { organizationName, link }: { organizationName: string; link: string },
): Mail {
  const { createdBy, companyName, documentType, representativeEmail } = document;
  const who = createdBy === null ? 'An administrator' : `${asWords(createdBy.firstName)} (${createdBy.email})`;
  const what = `${longName(documentType)} (${documentType})`;
  const paragraphs = [
    'Hello,',
    `${who} of the organization ${asWords(organizationName)} on Millrace asks you to sign a ${what} for ${asWords(companyName)}.`,
    `To read and sign it, open this page:\n\n${link}`,
    'Whoever has this link can sign in your name, so keep it to yourself. If you do not know who sent it, do nothing.',
  ];
  return {
    to: representativeEmail,
    subject: `Please sign: ${what} for ${asWords(companyName)}`,
    text: `${paragraphs.join('\n\n')}\n`,
  };
}

/** The mail about a signed document. Pure. */
export function signedMail(
  to: string,
  document: StoredDocument & { signerName: string | null },
  organizationName: string,
): Mail {
  const { documentType, companyName, signerName, representativeEmail } = document;
  const what = `${longName(documentType)} (${documentType})`;
  const consequences =
    documentType === 'BAA'
      ? [
          'From now on no data of the organization is processed by AI. An administrator of the organization can see this in its settings.',
        ]
      : [];
  const paragraphs = [
    `The ${what} of the organization ${asWords(organizationName)} on Millrace was signed for ${asWords(companyName)} by ${asWords(signerName ?? '')} (${representativeEmail}).`,
    ...consequences,
  ];
  return { to, subject: `Signed: ${what} for ${asWords(companyName)}`, text: `${paragraphs.join('\n\n')}\n` };
}
