import { Array as ArrayType, Boolean as BooleanType, Optional, String as StringType, Unknown } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { validator } from '@millrace/http/validator.ts';
import { withoutNulls } from './definition/checked-definition.ts';
import { strict } from './definition/schema-parts.ts';
import type { FiltersOverride } from './insight-variables.ts';

const validate = validator(
  strict({
    date_from: Optional(StringType()),
    date_to: Optional(StringType()),
    explicitDate: Optional(BooleanType()),
    properties: Optional(ArrayType(Unknown())),
    breakdown_filter: Optional(strict({})),
  }),
);

/** `filters_override` of a run (contract/insights 12). @throws {AppError} 400 on `filters_override`, which names the field */
export function readFiltersOverride(given: Readonly<Record<string, unknown>>): FiltersOverride {
  const override = withoutNulls(given);
  try {
    validate(override);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { attr, detail } = error.details;
    throw new AppError('invalid_input', {
      attr: 'filters_override',
      detail: `${['filters_override', attr ?? []].flat().join('.')}: ${detail}`,
    });
  }
  return override as FiltersOverride;
}
