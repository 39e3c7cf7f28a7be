import { AppError } from '@millrace/http/errors/errors.ts';
import { errorInList } from '@millrace/http/errors/validation-errors.ts';
import { tagsOf } from '../../../tag-list.ts';
import { readText, trimmed } from '../fields/text-field.ts';

const nameLengthMax = 255;
const shortNameLengthMax = 40;
const tagLengthMax = 255;

interface Given {
  name?: string | number | undefined;
  short_name?: string | number | null | undefined;
  description?: string | number | null | undefined;
  tags?: readonly (string | number)[];
  archived?: boolean;
}

/** Columns of a definition that a body sets. */
export interface DefinitionFields {
  name?: string;
  shortName?: string;
  description?: string;
  tags?: string[];
  archived?: boolean;
}

/** Columns of the fields that a body has. Pure. @throws {AppError} 400 about a field */
export function readFields({ name, short_name: shortName, description, tags, archived }: Given): DefinitionFields {
  return {
    ...(name !== undefined && { name: readText('name', name, nameLengthMax) }),
    ...(shortName !== undefined && { shortName: readShortName(shortName ?? '') }),
    ...(description !== undefined && { description: trimmed(description ?? '') }),
    ...(tags !== undefined && { tags: readTags(tags) }),
    ...(archived !== undefined && { archived }),
  };
}

/** Nothing but blanks is none. */
const readShortName = (value: string | number): string =>
  trimmed(value) === '' ? '' : readText('short_name', value, shortNameLengthMax);

/** Tags as they are stored and looked for (contract/decisions 46). Pure. @throws {AppError} 400 on `tags` */
export function readTags(tags: readonly (string | number)[]): string[] {
  const texts = tags.map((tag, index) => {
    try {
      return readText('tags', tag, tagLengthMax);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw errorInList(error.code, { list: ['tags'], inner: [String(index)], sentence: error.message });
    }
  });
  return tagsOf(texts).sort();
}

/** @throws {AppError} invalid_input on `calculation`: the scorer would be a composite one (contract/decisions 46) */
export function refuseComposite({ calculation, composition }: { calculation?: string | null; composition?: unknown }) {
  if (calculation !== 'composite' && (composition ?? null) === null) return;
  throw compositeRefused();
}

export const compositeRefused = (): AppError =>
  new AppError('invalid_input', {
    attr: 'calculation',
    detail: 'Composite scorers are not offered. Compute the score yourself and report it with a plain scorer.',
  });
