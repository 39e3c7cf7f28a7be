import type { NumericConfig } from './score-config.ts';
import {
  choiceOf,
  fieldError,
  fieldOf,
  numberOf,
  objectOf,
  optional,
  refuseOthers,
  type ConfigField,
} from './config-fields.ts';

const fields = ['min', 'max', 'step', 'passing_rule'] as const;

/** Fields of the config of a numeric scorer. */
export const numericFields: readonly string[] = fields;

/** Reads the config of a numeric scorer (contract/llm-surveys 3.2). Pure. @throws {AppError} 400 about a field */
export function readNumericConfig(object: Record<string, unknown>): NumericConfig {
  const field = (name: (typeof fields)[number]): ConfigField => fieldOf(['config'], object, name);
  const config: NumericConfig = {
    ...optional('min', field('min'), numberOf),
    ...optional('max', field('max'), numberOf),
    ...optional('step', field('step'), numberOf),
    ...optional('passing_rule', field('passing_rule'), readRule),
  };
  check(config);
  return config;
}

function readRule(field: ConfigField): NonNullable<NumericConfig['passing_rule']> {
  const object = objectOf(field);
  refuseOthers(field.path, object, { allowed: ['operator', 'threshold'], sentence: 'Unsupported passing rule keys' });
  return {
    operator: choiceOf(fieldOf(field.path, object, 'operator'), ['gte', 'lte']),
    threshold: numberOf(fieldOf(field.path, object, 'threshold')),
  };
}

function check({ min = null, max = null, step = null, passing_rule: rule }: NumericConfig): void {
  const refuse = (name: string, detail: string): never => {
    throw fieldError({ path: ['config', name] }, 'invalid_input', detail);
  };
  if (min !== null && max !== null && min > max) refuse('max', 'Ensure `max` is greater than or equal to `min`.');
  if (step !== null && step <= 0) refuse('step', 'Ensure `step` is greater than 0.');
  if (rule === null || rule === undefined) return;
  if (min !== null && rule.threshold < min) refuse('passing_rule', 'The passing threshold must be at least `min`.');
  if (max !== null && rule.threshold > max) refuse('passing_rule', 'The passing threshold must be at most `max`.');
}
