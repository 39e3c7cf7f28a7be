import { trimmed } from '../fields/text-field.ts';

/** The comment as it is stored; null when nothing is left of it. Pure. */
export function readComment(value: string | number | null | undefined): string | null {
  const text = trimmed(value ?? '');
  return text === '' ? null : text;
}
