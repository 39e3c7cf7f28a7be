import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import PDFDocument from 'pdfkit';
import { oneLine } from '../../mail/address.ts';

/** What a signed document says beside its text. */
export interface Signature {
  documentId: string;
  signerName: string;
  signerTitle: string;
  signerEmail: string;
  signedAt: Date;
}

const fonts = join(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'), '../ttf');
const regular = join(fonts, 'DejaVuSans.ttf');
const bold = join(fonts, 'DejaVuSans-Bold.ttf');

/**
 * A PDF of the text, whose first line is its title, and of who signed it. The text goes along as a file in it too, to the letter:
 * the font has Latin, Greek, Cyrillic and some more, but not every script.
 */
export async function signedPdf(text: string, signature: Signature): Promise<Buffer> {
  const [title = '', ...paragraphs] = text.split(/\n{2,}/).map((paragraph) => paragraph.trim());
  const { documentId, signedAt } = signature;
  const pdf = new PDFDocument({ size: 'A4', margin: 64, font: regular, lang: 'en', displayTitle: true, info: { Title: oneLine(title), Subject: documentId, Creator: 'Millrace', CreationDate: signedAt, ModDate: signedAt } });
  pdf.font(bold).fontSize(16).text(title).moveDown();
  pdf.font(regular).fontSize(10);
  for (const paragraph of paragraphs) pdf.text(paragraph, { lineGap: 2 }).moveDown();
  pdf.font(bold).text('Signature').moveDown(0.5).font(regular);
  for (const [name, value] of signatureLines(text, signature)) pdf.text(`${name}: ${value}`, { lineGap: 2 });
  pdf.file(Buffer.from(text), { name: 'document.txt', type: 'text/plain', creationDate: signedAt, modifiedDate: signedAt });
  pdf.end();
  return buffer(pdf);
}

/** What the signature says, line by line. Pure. */
export function signatureLines(text: string, { documentId, signerName, signerTitle, signerEmail, signedAt }: Signature): [name: string, value: string][] {
  return [
    ['Signed by', oneLine(signerName)],
    ...(signerTitle === '' ? [] : [['Title', oneLine(signerTitle)] satisfies [string, string]]),
    ['By the link mailed to', signerEmail],
    ['Signed at', `${signedAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`],
    ['Document', documentId],
    ['SHA-256 of its text', createHash('sha256').update(text).digest('hex')],
  ];
}
