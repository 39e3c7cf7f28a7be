import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@millrace/runtime/config.ts';
import { builtInTexts } from './built-in-texts.ts';
import { unknownPlaceholders } from './fill-text.ts';
import { submittedTypes, type SubmittedType } from './legal-document.ts';
import type { LegalTexts } from './legal-text.ts';

/**
 * The texts of documents: `BAA.txt` and `DPA.txt` of the folder, the built-in one for each that is not there, all of them
 * without a folder. @throws {ConfigError} when the folder is none, or a text names what nothing is known of
 */
export function readLegalTexts(folder: string | null): LegalTexts {
  if (folder === null) return builtInTexts;
  const texts = submittedTypes.map((type) => [type, readText(folder, type)] as const);
  return Object.fromEntries(texts) as Record<SubmittedType, string>;
}

function readText(folder: string, type: SubmittedType): string {
  const file = join(folder, `${type}.txt`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return builtInTexts[type];
    throw new ConfigError([
      `LEGAL_DOCUMENTS_DIR must be a folder whose files can be read: ${(error as Error).message}`,
    ]);
  }
  const unknown = unknownPlaceholders(text);
  if (text === '' || unknown.length > 0)
    throw new ConfigError([
      `LEGAL_DOCUMENTS_DIR: ${file} ${text === '' ? 'is empty' : `holds {{${unknown.join('}}, {{')}}}, which is not a known placeholder`}`,
    ]);
  return text;
}
