import type { SubmittedType } from './legal-document.ts';

/** The text of each document that can be signed. */
export type LegalTexts = Readonly<Record<SubmittedType, string>>;
