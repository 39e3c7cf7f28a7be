import { AppError } from '@millrace/http/errors/errors.ts';
import { meantName } from '@millrace/query-language/hints/meant-name.ts';

/** Types that a variable can be declared with (contract/endpoints 2.2). */
export const variableTypes = ['String', 'Number', 'Boolean', 'List', 'Date'] as const;
export type VariableType = (typeof variableTypes)[number];

/** Values of a variable. */
export type VariableValue = string | number | boolean | null | readonly (string | number | boolean)[];

/** A variable of an endpoint's query. `fallback` undefined: every run must give a value. */
export interface DeclaredVariable {
  readonly name: string;
  /** `Any`: neither a type nor a default was declared, so that any text, number, boolean or list will do. */
  readonly type: VariableType | 'Any';
  readonly fallback: VariableValue | undefined;
}

/** Reads `query.variables`, declarations by id (contract/endpoints 2.2). Pure. @throws {AppError} 400 on `query` */
export function readDeclarations(variables: unknown): DeclaredVariable[] {
  if (variables === null || variables === undefined) return [];
  if (typeof variables !== 'object' || Array.isArray(variables))
    throw onQuery('query.variables must be an object: variable id to declaration.');
  const declared = Object.entries(variables).map(([id, declaration]) => readDeclaration(id, declaration));
  const names = new Set<string>();
  for (const { name } of declared) {
    if (names.has(name)) throw onQuery(`The variable ${name} is declared twice.`);
    names.add(name);
  }
  return declared;
}

function readDeclaration(id: string, declaration: unknown): DeclaredVariable {
  if (typeof declaration !== 'object' || declaration === null || Array.isArray(declaration))
    throw onQuery(
      `The declaration of variable ${id} must be an object, such as {"code_name": "plan", "value": "pro"}.`,
    );
  const { code_name: name, value, isNull, type } = declaration as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') throw onQuery(`The declaration of variable ${id} needs a code_name.`);
  refuseMisnamed(name, declaration as Record<string, unknown>);
  if (isNull !== undefined && isNull !== null && typeof isNull !== 'boolean')
    throw onQuery(`isNull of variable ${name} must be true or false.`);
  const declaredType =
    type === undefined || type === null ? inferType(value) : variableTypes.find((known) => known === type);
  if (declaredType === undefined)
    throw onQuery(`The type of variable ${name} must be one of ${variableTypes.join(', ')}.`);
  return { name, type: declaredType, fallback: readFallback(name, declaredType, value, isNull === true) };
}

// `values` are the choices that other clients offer.
const fields = new Set(['code_name', 'value', 'isNull', 'type', 'variableId', 'values']);
const misnamed = meantName({ value: ['default', 'default_value'], isNull: ['nullable'], type: [] });

// By another name the default would be none. Other fields are ignored, and so is one that holds nothing, or stands beside the right one.
function refuseMisnamed(variable: string, declaration: Readonly<Record<string, unknown>>): void {
  for (const [given, value] of Object.entries(declaration)) {
    if (fields.has(given) || value === null || value === undefined) continue;
    const meant = misnamed(given);
    if (meant === undefined || (declaration[meant] ?? null) !== null) continue;
    throw onQuery(`${JSON.stringify(given)} is not a field of variable ${variable}. Write ${meant}.`);
  }
}

function readFallback(
  name: string,
  type: DeclaredVariable['type'],
  value: unknown,
  isNull: boolean,
): VariableValue | undefined {
  if (isNull) return null;
  if (value === undefined || value === null) return undefined;
  const error = typeErrorOf(type, value);
  if (error !== undefined) throw onQuery(`The default of variable ${name} ${error}.`);
  return value as VariableValue;
}

function inferType(value: unknown): DeclaredVariable['type'] {
  if (value === undefined || value === null) return 'Any';
  if (typeof value === 'number') return 'Number';
  if (typeof value === 'boolean') return 'Boolean';
  return Array.isArray(value) ? 'List' : 'String';
}

/** A sentence of an error: the variables that could have been meant. */
export const variablesHere = (names: readonly string[]): string =>
  `${(names.length === 0 ? 'This query has no variables' : `Variables here: ${names.join(', ')}`).slice(0, 500)}.`;

/** @throws {AppError} 400 on `variables`: names that are not declared */
export function refuseUnknownVariables(
  declared: readonly DeclaredVariable[],
  given: Readonly<Record<string, unknown>>,
): void {
  const known = new Set(declared.map(({ name }) => name));
  const unknown = Object.keys(given)
    .filter((name) => !known.has(name))
    .sort();
  if (unknown.length === 0) return;
  throw onVariables(`Unknown variables: ${unknown.join(', ').slice(0, 500)}. ${variablesHere([...known])}`, {
    logged: 'Unknown variables.',
  });
}

/**
 * Values of all variables for one run: the request's, else the declared default (contract/endpoints 2.3, 4.3). An explicit
 * null is NULL. Pure.
 * @throws {AppError} 400 on `variables`: names that are not declared, values missing, values of another type
 */
export function bindVariables(
  declared: readonly DeclaredVariable[],
  given: Readonly<Record<string, unknown>>,
): Record<string, VariableValue> {
  refuseUnknownVariables(declared, given);
  const missing = declared.filter(({ name, fallback }) => !Object.hasOwn(given, name) && fallback === undefined);
  if (missing.length > 0) {
    const detail = `Missing required variables: ${missing.map(({ name }) => name).join(', ')}.`;
    throw onVariables(detail, { code: 'required', logged: detail });
  }
  // A breakdown may be called `__proto__`, which an assignment would not keep.
  return Object.fromEntries(
    declared.map(({ name, type, fallback }) => {
      const value = Object.hasOwn(given, name) ? given[name] : fallback;
      const typeError = value === null ? undefined : typeErrorOf(type, value);
      if (typeError !== undefined)
        throw onVariables(`The variable ${name} ${typeError}.`, { logged: `The variable ${name} ${typeError}.` });
      return [name, value as VariableValue];
    }),
  );
}

/** A value that came as text (in a URL) as the declared type means it; text that does not fit stays text and is refused later. */
export function valueOfText(type: DeclaredVariable['type'], text: string): unknown {
  if (type === 'Number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === 'Boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type === 'List') return text === '' ? [] : text.split(',').map((item) => item.trim());
  return text;
}

function typeErrorOf(type: DeclaredVariable['type'], value: unknown): string | undefined {
  switch (type) {
    case 'Number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : 'must be a number';
    case 'Boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'List':
      return isList(value) ? undefined : 'must be a list of texts, of numbers or of booleans';
    case 'Date':
      return typeof value === 'string' ? dateErrorOf(value) : mustBeDate;
    case 'String':
      return isScalar(value) ? undefined : 'must be a text';
    case 'Any':
      return isScalar(value) || isList(value) ? undefined : 'must be a text, a number, a boolean or a list of these';
  }
}

// Clients send numbers and booleans for texts; they are written out.
function isScalar(value: unknown): value is string | number | boolean {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => isScalar(item) && typeof item === typeof value[0]);
}

const mustBeDate = 'must be a date in ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z';

function dateErrorOf(text: string): string | undefined {
  const isOfForm =
    text.length <= 50 &&
    /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text);
  if (!isOfForm) return mustBeDate;
  if (!isDay(text.slice(0, 10))) return `${mustBeDate}: there is no such day`;
  return Number.isNaN(Date.parse(text.replace(' ', 'T'))) ? `${mustBeDate}: there is no such time` : undefined;
}

// JavaScript takes February 30 as March 2.
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** A 400 about the query definition. */
export function onQuery(detail: string): AppError {
  return new AppError('invalid_input', { attr: 'query', detail });
}

/** `logged`: it may name what is declared, which is the author's, and nothing that was given. */
function onVariables(
  detail: string,
  { code = 'invalid_input', logged }: { code?: 'invalid_input' | 'required'; logged: string },
): AppError {
  return new AppError(code, { attr: 'variables', detail, logged });
}
