import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { wholeText } from './document-facts.ts';
import { signatureLines, signedPdf } from './signed-pdf.ts';

const document = {
  text: `Agreement of Žofie & Ἀθήνα\n\nBoth agree, 株式会社 too.\n\n${'A long sentence that fills the page. '.repeat(300)}`,
  companyName: 'Acme\n\n9. Payment. The Operator pays',
  companyAddress: 'Main\u2028Street \u202e1',
  representativeEmail: 'ann@example.com',
  createdAt: new Date(Date.UTC(2026, 0, 1)),
};
const text = wholeText(document);
const signature = {
  documentId: '01900000-0000-7000-8000-000000000000',
  signerName: 'Ann\nBlack',
  signerTitle: 'CEO',
  signerEmail: 'ann@example.com',
  signedAt: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)),
};

/** Content of the PDF's compressed parts. */
function streamsOf(pdf: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 7)) {
    const end = pdf.indexOf('\nendstream', at);
    try {
      if (end > 0) found.push(inflateSync(pdf.subarray(at + 7, end)));
    } catch {
      continue; // not a compressed one
    }
  }
  return found;
}

describe('the PDF of a signed document', () => {
  test('is whole, has as many pages as it needs, and carries its text to the letter', async () => {
    const pdf = await signedPdf(document, signature);
    expect([pdf.toString('latin1', 0, 5), pdf.toString('latin1').trimEnd().slice(-5)]).toEqual(['%PDF-', '%%EOF']);
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
    expect(streamsOf(pdf).filter((stream) => stream.toString() === text)).toHaveLength(1);
  });

  test("has the customer's data in a frame on its first page, each fact on one line of the text, and nowhere else", async () => {
    expect(text.split('\n').slice(0, 9)).toEqual([
      'Agreement of Žofie & Ἀθήνα',
      '',
      '| Company: Acme 9. Payment. The Operator pays',
      '| Address: Main Street 1',
      '| Represented by the holder of: ann@example.com',
      '| Submitted on: 2026-01-01',
      '',
      'Both agree, 株式会社 too.',
      '',
    ]);
    const longest = {
      ...document,
      companyName: 'W'.repeat(255),
      companyAddress: 'W'.repeat(512),
      representativeEmail: `${'W'.repeat(64)}@${'W'.repeat(189)}`,
    };
    for (const facts of [document, longest]) {
      const drawn = streamsOf(await signedPdf(facts, signature)).map((stream) => stream.toString('latin1'));
      const frames = drawn.map((stream) =>
        [...stream.matchAll(/^(\S+) (\S+) (\S+) (\S+) re\nS$/gm)].map(
          ([, , top, , height]) => Number(top) + Number(height),
        ),
      );
      expect(frames.flat()).toEqual([expect.any(Number)]);
      expect(frames.flat()[0]).toBeLessThan(841 - 64);
    }
  });

  test('names signer, document and time', () => {
    expect(Object.fromEntries(signatureLines(text, signature))).toEqual({
      'Signed by': 'Ann Black',
      Title: 'CEO',
      'By the link mailed to': 'ann@example.com',
      'Signed at': '2026-01-02 03:04:05 UTC',
      Document: signature.documentId,
      'SHA-256 of its text': createHash('sha256').update(text).digest('hex'),
    });
    // No width of blanks, whichever they are, moves what follows into a row of its own.
    const wide = (blank: string): string => `Ann${blank.repeat(80)}Document: another`;
    for (const blank of [' ', '\u00a0', '\u3000', '\u2800', '\u3164']) {
      expect(
        signatureLines(text, { ...signature, signerName: wide(blank), signerTitle: wide(blank) }).slice(0, 2),
      ).toEqual([
        ['Signed by', 'Ann Document: another'],
        ['Title', 'Ann Document: another'],
      ]);
      expect(wholeText({ ...document, companyName: wide(blank), companyAddress: wide(blank) })).toContain(
        '| Company: Ann Document: another\n| Address: Ann Document: another\n',
      );
    }
    expect(signatureLines(text, { ...signature, signerTitle: '' }).map(([name]) => name)).not.toContain('Title');
  });
});
