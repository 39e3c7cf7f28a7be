import { AppError } from '@millrace/http/errors/errors.ts';
import { errorInList } from '@millrace/http/errors/validation-errors.ts';
import type { ErrorCode } from '@millrace/http/errors/error-table.ts';
import { readText, trimmed } from '../../fields/text-field.ts';

/** A field of a config: its path, in which a number is the place in a list, and its value. */
export interface ConfigField {
  path: readonly (string | number)[];
  value: unknown;
}

/** The error of a field. Inside a list `attr` is the list, and the detail names the part (contract/decisions 62). Pure. */
export function fieldError({ path }: Pick<ConfigField, 'path'>, code: ErrorCode, detail: string): AppError {
  const names = path.map(String);
  const item = path.findIndex((part) => typeof part === 'number');
  return item === -1
    ? new AppError(code, { attr: names.join('__'), detail })
    : errorInList(code, { list: names.slice(0, item), inner: names.slice(item), sentence: detail });
}

const nothing = { required: 'This field is required.', null: 'This field may not be null.' };

/** A value that must be there. @throws {AppError} required, null */
function present({ path, value }: ConfigField): unknown {
  if (value === undefined) throw fieldError({ path }, 'required', nothing.required);
  if (value === null) throw fieldError({ path }, 'null', nothing.null);
  return value;
}

/** The field `name` of an object that is at `path`. Inherited names are no fields. */
export function fieldOf(path: ConfigField['path'], object: Record<string, unknown>, name: string): ConfigField {
  return { path: [...path, name], value: Object.hasOwn(object, name) ? object[name] : undefined };
}

/** @throws {AppError} required, null, invalid_input */
export function objectOf(field: ConfigField): Record<string, unknown> {
  const value = present(field);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw fieldError(field, 'invalid_input', `Invalid data. Expected a dictionary, but got ${typeName(value)}.`);
}

/** @throws {AppError} required, null, not_a_list */
export function listOf(field: ConfigField): ConfigField[] {
  const value = present(field);
  if (Array.isArray(value))
    return value.map((item: unknown, index): ConfigField => ({ path: [...field.path, index], value: item }));
  throw fieldError(field, 'not_a_list', `Expected a list of items but got type "${typeName(value)}".`);
}

/** A text, trimmed. @throws {AppError} required, null, invalid_input, blank, max_length */
export function textOf(field: ConfigField, lengthMax: number): string {
  const value = present(field);
  if (typeof value !== 'string' && typeof value !== 'number')
    throw fieldError(field, 'invalid_input', 'Not a valid string.');
  try {
    return readText('', trimmed(value), lengthMax);
  } catch (error) {
    throw error instanceof AppError ? fieldError(field, error.code, error.message) : error;
  }
}

/** @throws {AppError} required, null, invalid_input: no number, or none that is finite */
export function numberOf(field: ConfigField): number {
  const value = present(field);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw fieldError(field, 'invalid_input', 'A valid number is required.');
}

/** @throws {AppError} required, null, invalid_input, min_value: less than 1 */
export function countOf(field: ConfigField): number {
  const value = present(field);
  if (!Number.isSafeInteger(value)) throw fieldError(field, 'invalid_input', 'A valid integer is required.');
  if ((value as number) >= 1) return value as number;
  throw fieldError(field, 'min_value', 'Ensure this value is greater than or equal to 1.');
}

/** @throws {AppError} required, null, invalid_input */
export function booleanOf(field: ConfigField): boolean {
  const value = present(field);
  if (typeof value === 'boolean') return value;
  throw fieldError(field, 'invalid_input', 'Must be a valid boolean.');
}

/** @throws {AppError} required, null, invalid_choice */
export function choiceOf<Choice extends string>(field: ConfigField, choices: readonly Choice[]): Choice {
  const value = present(field);
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const given = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100);
  throw fieldError(field, 'invalid_choice', `"${given}" is not a valid choice. Choose one of: ${choices.join(', ')}.`);
}

/** `{name: value}` of a field that may be missing or null; `{}` when it is missing. */
export function optional<Name extends string, Value>(
  name: Name,
  field: ConfigField,
  read: (field: ConfigField) => Value,
): { [Key in Name]?: Value | null } {
  if (field.value === undefined) return {};
  return { [name]: field.value === null ? null : read(field) } as { [Key in Name]?: Value | null };
}

/** @throws {AppError} invalid_input about the object: it has a key that is none of `allowed` */
export function refuseOthers(
  path: ConfigField['path'],
  object: Record<string, unknown>,
  { allowed, sentence }: { allowed: readonly string[]; sentence: string },
): void {
  const others = Object.keys(object)
    .filter((key) => !allowed.includes(key))
    .sort();
  if (others.length === 0) return;
  const shown = others.slice(0, 10).map((key) => `'${key.slice(0, 100)}'`);
  const known = [...allowed].sort().map((key) => `'${key}'`);
  throw fieldError(
    { path },
    'invalid_input',
    `${sentence}: [${shown.join(', ')}]. Allowed keys: [${known.join(', ')}].`,
  );
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return typeof value === 'string' ? 'str' : typeof value === 'boolean' ? 'bool' : 'dict';
}
