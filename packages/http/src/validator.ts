import { Ajv, type FuncKeywordDefinition } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import type { TSchema } from 'typebox';
import type { AdviceFor, Hinted } from './hint.ts';
import { isPlainLine } from './plain-line.ts';
import { validationError } from './errors/validation-errors.ts';

/** Checks a value in place (defaults are filled in). @throws {AppError} of the first thing that is wrong. */
export type Validate = (value: unknown) => void;

const unknownFieldsMax = 100;

/** `refusedFields` as a keyword. */
const refusedFields: FuncKeywordDefinition = {
  keyword: 'x-refused-fields',
  type: 'object',
  errors: true,
  compile(adviceFor: AdviceFor, schema) {
    const { properties = {} } = schema as Hinted;
    const check: DataValidateFunction = (value: Record<string, unknown>) => {
      const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
      for (const name of unknown.slice(0, unknownFieldsMax)) {
        const advice = adviceFor(name, value[name]);
        if (advice === undefined) continue;
        check.errors = [{ keyword: 'x-refused-fields', params: { name, advice } }];
        return false;
      }
      return true;
    };
    return check;
  },
};

const ajv = new Ajv({
  allErrors: false,
  verbose: true,
  allowUnionTypes: true,
  useDefaults: true,
  formats: { ...fullFormats, line: isPlainLine },
  keywords: ['x-nul', 'x-hint', 'x-unknown-field-hint', refusedFields],
});

/** Validator of a schema; `attrsEndAtLists` as of a route. @throws when the schema itself is wrong */
export function validator(schema: TSchema, { attrsEndAtLists = false } = {}): Validate {
  const validate = ajv.compile(schema);
  return (value) => {
    if (!validate(value)) throw validationError(validate.errors, attrsEndAtLists);
  };
}
