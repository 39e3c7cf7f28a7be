import type {
  CategoricalConfig,
  NumericConfig,
  ScoreConfig,
  ScoreKind,
} from '../../score-definitions/config/score-config.ts';
import { compare, isOnStep, readDecimal, type Decimal } from './decimal.ts';
import { scoreError, type ScoreValue } from './read-scores.ts';

const fieldOfKind = {
  categorical: 'categorical_values',
  numeric: 'numeric_value',
  boolean: 'boolean_value',
} as const satisfies Record<ScoreKind, ScoreValue['field']>;

/** Checks a score against the version of its definition (contract/llm-surveys 4.2). Pure. @throws {AppError} 400 on `scores` */
export function checkScore(
  { value: given, index }: { value: ScoreValue; index: number },
  { kind, config }: { kind: ScoreKind; config: ScoreConfig },
): void {
  const field = fieldOfKind[kind];
  const sentence =
    given.field !== field
      ? `This scorer requires \`${field}\`.`
      : given.field === 'categorical_values'
        ? wrongCategories(given.value, config as CategoricalConfig)
        : given.field === 'numeric_value'
          ? wrongNumber(given.value, config as NumericConfig)
          : null;
  if (sentence !== null) throw scoreError(index, field, sentence);
}

/** The sentence about what is wrong; null: nothing is. */
function wrongCategories(keys: readonly string[], config: CategoricalConfig): string | null {
  const known = new Set(config.options.map(({ key }) => key));
  if (!keys.every((key) => known.has(key))) return 'Select valid categorical option keys.';
  if ((config.selection_mode ?? 'single') === 'single')
    return keys.length === 1 ? null : 'This scorer allows exactly one categorical option.';
  const { min_selections: min, max_selections: max } = config;
  if (typeof min === 'number' && keys.length < min) return `Select at least ${min} categorical options.`;
  if (typeof max === 'number' && keys.length > max) return `Select no more than ${max} categorical options.`;
  return null;
}

function wrongNumber(text: string, { min = null, max = null, step = null }: NumericConfig): string | null {
  const value = decimalOf(text);
  if (min !== null && compare(value, decimalOf(min)) < 0)
    return `Ensure this value is greater than or equal to ${min}.`;
  if (max !== null && compare(value, decimalOf(max)) > 0) return `Ensure this value is less than or equal to ${max}.`;
  if (step !== null && !isOnStep(value, decimalOf(min ?? 0), decimalOf(step)))
    return `Ensure this value increments by ${step}.`;
  return null;
}

function decimalOf(value: string | number): Decimal {
  const decimal = readDecimal(value);
  if (decimal === null) throw new Error(`not a decimal number: ${value}`);
  return decimal;
}
