import type { BooleanConfig } from './score-config.ts';
import { booleanOf, fieldOf, optional, textOf, type ConfigField } from './config-fields.ts';

const labelLengthMax = 256;

const fields = ['true_is_failure', 'true_label', 'false_label'] as const;

/** Fields of the config of a boolean scorer. */
export const booleanFields: readonly string[] = fields;

/** Reads the config of a boolean scorer (contract/llm-surveys 3.2). Pure. @throws {AppError} 400 about a field */
export function readBooleanConfig(object: Record<string, unknown>): BooleanConfig {
  const field = (name: (typeof fields)[number]): ConfigField => fieldOf(['config'], object, name);
  const label = (name: 'true_label' | 'false_label'): BooleanConfig =>
    field(name).value === undefined ? {} : { [name]: textOf(field(name), labelLengthMax) };
  return {
    ...optional('true_is_failure', field('true_is_failure'), booleanOf),
    ...label('true_label'),
    ...label('false_label'),
  };
}
