import type { Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { tagsOf } from '../tag-list.ts';
import type { definitionChange, StoredDefinition } from './definition.ts';

type Body = { [Name in keyof typeof definitionChange]?: Static<(typeof definitionChange)[Name]> };

interface SharedChange {
  description?: string;
  tags?: string[];
  hidden?: boolean;
  verifiedAt?: Date | null;
  verifiedById?: number | null;
}

/**
 * Columns that a PATCH changes. What is hidden is not verified, and the other way round: the last one that was set to true holds. Pure.
 * @throws {AppError} invalid_input on `hidden`: both at once
 */
export function changeOf(
  { description, tags, verified, hidden }: Body,
  { verifiedAt }: Pick<StoredDefinition, 'verifiedAt'>,
  { userId, now }: { userId: number; now: Date },
): SharedChange {
  if (verified === true && hidden === true)
    throw new AppError('invalid_input', {
      attr: 'hidden',
      detail: 'A definition cannot be verified and hidden at once.',
    });
  return {
    ...(description !== undefined && { description: description ?? '' }),
    ...(tags !== undefined && { tags: tagsOf(tags) }),
    ...(hidden !== undefined && { hidden }),
    ...(verified === true && { hidden: false }),
    ...(verified === true && verifiedAt === null && { verifiedAt: now, verifiedById: userId }),
    ...((verified === false || hidden === true) && { verifiedAt: null, verifiedById: null }),
  };
}
