import { plainLine } from '@millrace/http/plain-line.ts';
import type { LegalDocument } from '@millrace/postgres/generated/client.ts';

/**
 * Blanks of whatever kind and number, also those that count as letters or signs, are one: no width of them makes a row of its own.
 * Pure.
 */
export const inOneRow = (text: string): string =>
  text.replaceAll(/[\p{Zs}\u115f\u1160\u2800\u3164\uffa0]+/gu, ' ').trim();

/** Facts that a customer gives about itself, and when. */
export type DocumentFacts = Pick<LegalDocument, 'companyName' | 'companyAddress' | 'representativeEmail' | 'createdAt'>;

/** The facts as a document shows them, in a box above its words: each on a line of its own, whatever was stored. Pure. */
function factLines({
  companyName,
  companyAddress,
  representativeEmail,
  createdAt,
}: DocumentFacts): [name: string, value: string][] {
  return [
    ['Company', inOneRow(plainLine(companyName))],
    ['Address', inOneRow(plainLine(companyAddress))],
    ['Represented by the holder of', plainLine(representativeEmail)],
    ['Submitted on', createdAt.toISOString().slice(0, 10)],
  ];
}

/** A document as it is signed: its title (the first line of its text), the facts, and what else its text says. Pure. */
export function partsOf(document: DocumentFacts & Pick<LegalDocument, 'text'>): {
  title: string;
  facts: [name: string, value: string][];
  words: string;
} {
  const [title = '', ...lines] = (document.text ?? '').split('\n');
  return { title: title.trim(), facts: factLines(document), words: lines.join('\n').trim() };
}

/** The facts as one text: exactly the text that a signature covers. Pure. */
export function wholeText(document: DocumentFacts & Pick<LegalDocument, 'text'>): string {
  const { title, facts, words } = partsOf(document);
  return [title, facts.map(([name, value]) => `| ${name}: ${value}`).join('\n'), words].join('\n\n');
}
