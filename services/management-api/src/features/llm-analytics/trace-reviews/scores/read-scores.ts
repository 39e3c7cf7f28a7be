import { errorInList } from '@millrace/http/errors/validation-errors.ts';
import { readOptionKey } from '../../score-definitions/config/categorical-config.ts';
import { decimalText, readDecimal } from './decimal.ts';
import type { ScoreBody } from './score-body.ts';

const decimalsMax = 6;
const wholeDigitsMax = 6;
const valueFields = ['categorical_values', 'numeric_value', 'boolean_value'] as const;

/** The value of a score, by the field that has it; a number is a text with six decimals, as it is stored. */
export type ScoreValue =
  | { field: 'categorical_values'; value: string[] }
  | { field: 'numeric_value'; value: string }
  | { field: 'boolean_value'; value: boolean };

/** A score that a body asks for. Ids are in lower case. */
export interface GivenScore {
  definitionId: string;
  /** Null: the current one. */
  versionId: string | null;
  value: ScoreValue;
}

/** The error of a score, or of one of its fields. Pure. */
export const scoreError = (index: number, field: keyof ScoreBody | null, sentence: string) =>
  errorInList('invalid_input', {
    list: ['scores'],
    inner: [String(index), ...(field === null ? [] : [field])],
    sentence,
  });

/** Reads the scores of a body (contract/llm-surveys 4.2). Pure. @throws {AppError} 400 on `scores`, about the first that is wrong */
export function readScores(bodies: readonly ScoreBody[]): GivenScore[] {
  const seen = new Set<string>();
  return bodies.map((body, index) => {
    const definitionId = body.definition_id.toLowerCase();
    if (seen.has(definitionId))
      throw scoreError(index, 'definition_id', 'Each scorer can only appear once per review.');
    seen.add(definitionId);
    return {
      definitionId,
      versionId: body.definition_version_id?.toLowerCase() ?? null,
      value: readValue(body, index),
    };
  });
}

function readValue(body: ScoreBody, index: number): ScoreValue {
  const [field, ...others] = valueFields.filter((name) => (body[name] ?? null) !== null);
  if (field === undefined || others.length > 0) throw scoreError(index, null, 'Provide exactly one score value field.');
  if (field === 'categorical_values') return { field, value: readCategories(body.categorical_values ?? [], index) };
  if (field === 'boolean_value') return { field, value: body.boolean_value === true };
  return { field, value: readNumber(body.numeric_value ?? '', index) };
}

function readCategories(values: readonly unknown[], index: number): string[] {
  const keys = values.map((value, at) => readOptionKey({ path: ['scores', index, 'categorical_values', at], value }));
  if (new Set(keys).size < keys.length)
    throw scoreError(index, 'categorical_values', 'Select each categorical option only once.');
  return keys;
}

/** Digits are counted as they were written: `4.5000000` has seven decimals. */
function readNumber(value: number | string, index: number): string {
  const decimal = readDecimal(value);
  if (decimal === null) throw scoreError(index, 'numeric_value', 'A valid number is required.');
  const whole = (decimal.digits < 0n ? -decimal.digits : decimal.digits) / 10n ** BigInt(decimal.scale);
  if (decimal.scale > decimalsMax)
    throw scoreError(index, 'numeric_value', `Ensure that there are no more than ${decimalsMax} decimal places.`);
  if (whole >= 10n ** BigInt(wholeDigitsMax))
    throw scoreError(
      index,
      'numeric_value',
      `Ensure that there are no more than ${wholeDigitsMax} digits before the decimal point.`,
    );
  return decimalText({ digits: decimal.digits * 10n ** BigInt(decimalsMax - decimal.scale), scale: decimalsMax });
}
