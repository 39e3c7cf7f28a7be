import type { Config } from '../../config.ts';
import type { Context } from './context.ts';
import { readLegalTexts } from './legal-texts.ts';
import type { SigningProvider } from './signing.ts';

/** The legal parts of the context, of the settings. */
export function legalParts(
  { documentsDir, operatorName, baaAllowed }: Config['legal'],
  signing: SigningProvider,
): Context['legal'] {
  return { signing, texts: readLegalTexts(documentsDir), operatorName, isBaaAllowed: baaAllowed };
}
