import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { signatureLines, signedPdf } from './signed-pdf.ts';

const text = `Agreement of Žofie & Ἀθήνα\n\nBoth agree, 株式会社 too.\n\n${'A long sentence that fills the page. '.repeat(300)}`;
const signature = { documentId: '01900000-0000-7000-8000-000000000000', signerName: 'Ann\nBlack', signerTitle: 'CEO', signerEmail: 'ann@example.com', signedAt: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)) };

/** What the PDF's compressed parts hold. */
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
    const pdf = await signedPdf(text, signature);
    expect([pdf.toString('latin1', 0, 5), pdf.toString('latin1').trimEnd().slice(-5)]).toEqual(['%PDF-', '%%EOF']);
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
    expect(streamsOf(pdf).filter((stream) => stream.toString() === text)).toHaveLength(1);
  });

  test('says who signed what, and when', () => {
    expect(Object.fromEntries(signatureLines(text, signature))).toEqual({
      'Signed by': 'Ann Black',
      Title: 'CEO',
      'By the link mailed to': 'ann@example.com',
      'Signed at': '2026-01-02 03:04:05 UTC',
      Document: signature.documentId,
      'SHA-256 of its text': createHash('sha256').update(text).digest('hex'),
    });
    expect(signatureLines(text, { ...signature, signerTitle: '' }).map(([name]) => name)).not.toContain('Title');
  });
});
