import { Ajv } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { TSchema } from 'typebox';
import { hintKeywords } from './hint.ts';
import { isPlainLine } from './plain-line.ts';
import { validationError } from './errors/validation-errors.ts';

/** Checks a value in place (defaults are filled in). @throws {AppError} of the first thing that is wrong. */
export type Validate = (value: unknown) => void;

const ajv = new Ajv({
  allErrors: false,
  verbose: true,
  allowUnionTypes: true,
  useDefaults: true,
  formats: { ...fullFormats, line: isPlainLine },
  keywords: ['x-nul', ...hintKeywords],
});

/** Validator of a schema. @throws when the schema itself is wrong */
export function validator(schema: TSchema): Validate {
  const validate = ajv.compile(schema);
  return (value) => {
    if (!validate(value)) throw validationError(validate.errors);
  };
}
