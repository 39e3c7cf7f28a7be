import { Ajv, type ValidateFunction } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { TSchema } from 'typebox';
import { validationError } from './validation-errors.ts';

/** Checks a value in place (defaults are filled in). @throws {AppError} of the first thing that is wrong. */
export type Validate = (value: unknown) => void;

const common = { allErrors: false, verbose: true, allowUnionTypes: true, useDefaults: true, formats: fullFormats } as const;
const exact = new Ajv(common);
const coercing = new Ajv({ ...common, coerceTypes: true });

/** Validator of JSON, taken as it is. */
export function jsonValidator(schema: TSchema): Validate {
  return throwing(exact.compile(schema));
}

/** Validator of texts (path and query parameters, form fields): numbers and booleans are read from them. */
export function textValidator(schema: TSchema): Validate {
  return throwing(coercing.compile(schema));
}

function throwing(validate: ValidateFunction): Validate {
  return (value) => {
    if (!validate(value)) throw validationError(validate.errors);
  };
}
