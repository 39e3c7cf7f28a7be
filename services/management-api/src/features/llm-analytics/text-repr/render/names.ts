import { isTruthy } from '../values/json-values.ts';
import { json } from '../values/python-text.ts';

/** The first name that is there; those that are no text as JSON (contract/decisions 54). */
export function firstName(names: readonly unknown[], otherwise: string): string {
  const name = names.find(isTruthy);
  return name === undefined ? otherwise : typeof name === 'string' ? name : json(name);
}
