import type { ErrorObject } from 'ajv';
import { AppError } from './errors.ts';
import { errorTable, type ErrorCode } from './error-table.ts';
import type { Hinted } from '../hint.ts';
import { plainLineDetail } from '../plain-line.ts';

interface Finding {
  code: ErrorCode;
  detail?: string;
  /** Name of a key below the place that ajv names. */
  key?: string;
}

type Rule = (error: ErrorObject) => Finding;

/**
 * First error of ajv as the error that clients of the product know (contract/orgs-errors 1.4: codes, sentences, `attr`).
 * `attrsEndAtLists`: of an error inside a list, `attr` is the list, and the detail names the item (contract/decisions 62).
 */
export function validationError(errors: readonly ErrorObject[] | null | undefined, attrsEndAtLists = false): AppError {
  const error = errors?.[0];
  if (error === undefined) return new AppError('invalid_input');
  const { code, detail, key } = (rules[error.keyword] ?? unknownRule)(error);
  const hint = hintOf(error, key);
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (key !== undefined) path.push(key);
  const sentence = [detail ?? errorTable[code].detail, hint].filter((part) => part !== undefined).join(' ');
  const item = attrsEndAtLists ? path.findIndex((part) => /^\d+$/.test(part)) : -1;
  if (item > 0) return errorInList(code, { list: path.slice(0, item), inner: path.slice(item), sentence });
  return new AppError(code, { attr: path.length > 0 ? path.join('__') : null, detail: sentence });
}

/**
 * The error of a part of a list: `attr` is the list, and the detail begins with the part, as in
 * `config.options[1].key: This field is required.` Pure.
 */
export function errorInList(
  code: ErrorCode,
  { list, inner, sentence }: { list: readonly string[]; inner: readonly string[]; sentence: string },
): AppError {
  const part = inner.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('');
  return new AppError(code, { attr: list.join('__'), detail: `${list.join('.')}${part}: ${sentence}` });
}

/** The sentence of the schema about what to write instead. */
function hintOf({ keyword, parentSchema }: ErrorObject, key = ''): string | undefined {
  const schema = parentSchema as Hinted | undefined;
  if (keyword === 'type') return schema?.['x-hint'];
  if (keyword === 'required') return schema?.properties?.[key]?.['x-hint'];
  const hint = keyword === 'additionalProperties' ? schema?.['x-unknown-field-hint'] : undefined;
  if (hint?.fields?.includes(key) === false) return undefined;
  const sentence = typeof hint?.sentence === 'function' ? hint.sentence(key) : hint?.sentence;
  return sentence?.replace('%s', () => JSON.stringify(short(key)));
}

const unknownRule: Rule = (error) => ({
  code: 'invalid_input',
  detail: `This field ${error.message ?? 'is invalid'}.`,
});

const rules: Record<string, Rule> = {
  required: ({ params }) => ({ code: 'required', key: String(params['missingProperty']) }),
  additionalProperties: ({ params }) => {
    const key = String(params['additionalProperty']);
    return { code: 'invalid_input', key, detail: `"${short(key)}" is not a known field.` };
  },
  'x-refused-fields': ({ params }) => {
    const key = String(params['name']);
    return { code: 'invalid_input', key, detail: `"${short(key)}" is not a known field. ${String(params['advice'])}` };
  },
  type: typeMismatch,
  const: notAChoice,
  enum: notAChoice,
  format: ({ params }) => ({
    code: 'invalid_input',
    detail: formatDetails[String(params['format'])] ?? 'This value has the wrong format.',
  }),
  pattern: ({ parentSchema }) => ({ code: 'invalid_input', detail: patternDetail(parentSchema) }),
  minLength: ({ data, params }) =>
    data === ''
      ? { code: 'blank' }
      : { code: 'min_length', detail: `Ensure this field has at least ${params['limit']} characters.` },
  maxLength: ({ params }) => ({
    code: 'max_length',
    detail: `Ensure this field has no more than ${params['limit']} characters.`,
  }),
  minItems: ({ data, params }) =>
    Array.isArray(data) && data.length === 0
      ? { code: 'empty' }
      : { code: 'min_length', detail: `Ensure this field has at least ${params['limit']} elements.` },
  maxItems: ({ params }) => ({
    code: 'max_length',
    detail: `Ensure this field has no more than ${params['limit']} elements.`,
  }),
  minimum: ({ params }) => ({
    code: 'min_value',
    detail: `Ensure this value is greater than or equal to ${params['limit']}.`,
  }),
  maximum: ({ params }) => ({
    code: 'max_value',
    detail: `Ensure this value is less than or equal to ${params['limit']}.`,
  }),
  uniqueItems: () => ({ code: 'unique', detail: 'Ensure the items are unique.' }),
};

const formatDetails: Record<string, string> = {
  uuid: 'Must be a valid UUID.',
  email: 'Enter a valid email address.',
  'date-time': 'Datetime has wrong format. Use ISO 8601.',
  date: 'Date has wrong format. Use YYYY-MM-DD.',
  uri: 'Enter a valid URL.',
  line: plainLineDetail,
};

const typeDetails: Record<string, string> = {
  string: 'Not a valid string.',
  integer: 'A valid integer is required.',
  number: 'A valid number is required.',
  boolean: 'Must be a valid boolean.',
};

function typeMismatch({ data, params, instancePath }: ErrorObject): Finding {
  const wanted =
    [params['type']]
      .flat()
      .map(String)
      .find((type) => type !== 'null') ?? '';
  if (data === null && instancePath !== '') return { code: 'null' };
  if (wanted === 'array')
    return {
      code: instancePath === '' ? 'invalid_input' : 'not_a_list',
      detail: `Expected a list of items but got type "${typeName(data)}".`,
    };
  if (wanted === 'object')
    return { code: 'invalid_input', detail: `Invalid data. Expected a dictionary, but got ${typeName(data)}.` };
  return { code: 'invalid_input', detail: typeDetails[wanted] ?? 'Invalid input.' };
}

function notAChoice({ data, params }: ErrorObject): Finding {
  const choices: unknown[] =
    'allowedValues' in params ? (params['allowedValues'] as unknown[]) : [params['allowedValue']];
  const listed = choices
    .filter((choice) => choice !== null)
    .map(String)
    .join(', ');
  const value = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  return { code: 'invalid_choice', detail: `"${short(value)}" is not a valid choice. Choose one of: ${listed}.` };
}

function patternDetail(schema: ErrorObject['parentSchema']): string {
  const description: unknown = schema?.['description'];
  return typeof description === 'string'
    ? `This value does not match the required pattern. ${description}`
    : 'This value does not match the required pattern.';
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return (
    { string: 'str', boolean: 'bool', object: 'dict', number: Number.isInteger(value) ? 'int' : 'float' }[
      typeof value as string
    ] ?? typeof value
  );
}

function short(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
