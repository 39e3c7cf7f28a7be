import { AppError } from '@millrace/http/errors/errors.ts';
import { checkInsight } from '../../compile/prepare-insight.ts';
import { insightKinds } from '../insight-kinds.ts';
import type { InsightKind } from '../insight-kind.ts';
import { typicalDefinitions } from './typical-definitions.ts';

/**
 * The sentence with which the typical definition of a kind with these fields is refused when it is saved; `none` when it is accepted. A
 * field that is null is left out.
 */
export function refusalOf(kind: string, definition: object): string {
  try {
    checkInsight(insightKinds.get(kind) as InsightKind, { ...typicalDefinitions[kind], ...definition, kind });
    return 'none';
  } catch (error) {
    return error instanceof AppError && error.details.attr === 'query' ? String(error.details.detail) : String(error);
  }
}
