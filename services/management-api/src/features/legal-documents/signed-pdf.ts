import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import { plainLine } from '@millrace/http/plain-line.ts';
import { inOneRow, partsOf, wholeText } from './document-facts.ts';

/** Content of a signed document beside its text. */
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
/** In points. */
const margin = 64;
const padding = 8;

/** A document with its facts, as it is stored. */
type Signed = Parameters<typeof wholeText>[0];

/**
 * A PDF of the document and of who signed it: title, the customer's facts in a frame of their own, the words. The whole text goes
 * along as a file in it too, to the letter: the font has Latin, Greek, Cyrillic and some more, but not every script.
 */
export async function signedPdf(document: Signed, signature: Signature): Promise<Buffer> {
  const { title, facts, words } = partsOf(document);
  const { documentId, signedAt } = signature;
  // Few installations ever sign: it would take 30 MB and a tenth of a second of each start.
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({
    size: 'A4',
    margin,
    font: regular,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: plainLine(title),
      Subject: documentId,
      Creator: 'Millrace',
      CreationDate: signedAt,
      ModDate: signedAt,
    },
  });
  pdf.font(bold).fontSize(16).text(title).moveDown();
  pdf.fontSize(10);
  drawFacts(pdf, facts);
  pdf.font(regular);
  for (const paragraph of words.split(/\n{2,}/)) pdf.text(paragraph.trim(), { lineGap: 2 }).moveDown();
  pdf.font(bold).text('Signature').moveDown(0.5).font(regular);
  const whole = wholeText(document);
  for (const [name, value] of signatureLines(whole, signature)) pdf.text(`${name}: ${value}`, { lineGap: 2 });
  pdf.file(Buffer.from(whole), {
    name: 'document.txt',
    type: 'text/plain',
    creationDate: signedAt,
    modifiedDate: signedAt,
  });
  pdf.end();
  return buffer(pdf);
}

/** Facts in a frame, below where the page has come to: the longest that are stored fit on its first page. */
function drawFacts(pdf: PDFKit.PDFDocument, facts: readonly [name: string, value: string][]): void {
  const [top, width] = [pdf.y, pdf.page.width - 2 * margin];
  pdf.y = top + padding;
  for (const [name, value] of facts) {
    pdf
      .font(bold)
      .text(`${name}: `, margin + padding, pdf.y, { width: width - 2 * padding, lineGap: 2, continued: true });
    pdf.font(regular).text(value, { lineGap: 2 });
  }
  const bottom = pdf.y + padding;
  pdf
    .lineWidth(0.75)
    .rect(margin, top, width, bottom - top)
    .stroke();
  pdf.x = margin;
  pdf.y = bottom + 2 * padding;
}

/** Lines of the signature. Pure. */
export function signatureLines(
  text: string,
  { documentId, signerName, signerTitle, signerEmail, signedAt }: Signature,
): [name: string, value: string][] {
  return [
    ['Signed by', inOneRow(plainLine(signerName))],
    ...(signerTitle === '' ? [] : [['Title', inOneRow(plainLine(signerTitle))] satisfies [string, string]]),
    ['By the link mailed to', signerEmail],
    ['Signed at', `${signedAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`],
    ['Document', documentId],
    ['SHA-256 of its text', createHash('sha256').update(text).digest('hex')],
  ];
}
