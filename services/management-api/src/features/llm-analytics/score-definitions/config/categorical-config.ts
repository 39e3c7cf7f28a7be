import type { CategoricalConfig, CategoricalOption } from './score-config.ts';
import {
  choiceOf,
  countOf,
  fieldError,
  fieldOf,
  listOf,
  objectOf,
  optional,
  refuseOthers,
  textOf,
  type ConfigField,
} from './config-fields.ts';

const keyLengthMax = 128;
const labelLengthMax = 256;
const keyPattern = /^[a-z0-9]+(?:[_-][a-z0-9]+)*$/;

const fields = ['options', 'selection_mode', 'min_selections', 'max_selections', 'passing_rule'] as const;

/** Fields of the config of a categorical scorer. */
export const categoricalFields: readonly string[] = fields;

/** Reads the config of a categorical scorer (contract/llm-surveys 3.2). Pure. @throws {AppError} 400 about a field */
export function readCategoricalConfig(object: Record<string, unknown>): CategoricalConfig {
  const field = (name: (typeof fields)[number]): ConfigField => fieldOf(['config'], object, name);
  const mode = field('selection_mode');
  const config: CategoricalConfig = {
    options: readOptions(field('options')),
    ...(mode.value !== undefined && { selection_mode: choiceOf(mode, ['single', 'multiple']) }),
    ...optional('min_selections', field('min_selections'), countOf),
    ...optional('max_selections', field('max_selections'), countOf),
    ...optional('passing_rule', field('passing_rule'), readRule),
  };
  checkRule(config);
  checkCounts(config);
  return config;
}

/** The key of an option, as it is stored: trimmed, in lower case. Pure. @throws {AppError} 400 about the field */
export function readOptionKey(field: ConfigField): string {
  const key = textOf(field, keyLengthMax).toLowerCase();
  if (keyPattern.test(key)) return key;
  throw fieldError(
    field,
    'invalid_input',
    `\`${field.path.findLast((part) => typeof part === 'string')}\` must use lowercase letters, numbers, underscores, or hyphens.`,
  );
}

function readOptions(field: ConfigField): CategoricalOption[] {
  const options = listOf(field).map((item) => {
    const object = objectOf(item);
    return {
      key: readOptionKey(fieldOf(item.path, object, 'key')),
      label: textOf(fieldOf(item.path, object, 'label'), labelLengthMax),
    };
  });
  if (options.length === 0) throw fieldError(field, 'invalid_input', 'Provide at least one categorical option.');
  if (new Set(options.map(({ key }) => key)).size < options.length)
    throw fieldError(field, 'invalid_input', 'Categorical option keys must be unique.');
  return options;
}

function readRule(field: ConfigField): { categories: string[] } {
  const object = objectOf(field);
  refuseOthers(field.path, object, { allowed: ['categories'], sentence: 'Unsupported passing rule keys' });
  const list = fieldOf(field.path, object, 'categories');
  const categories = listOf(list).map((item) => textOf(item, keyLengthMax).toLowerCase());
  if (new Set(categories).size < categories.length)
    throw fieldError(list, 'invalid_input', 'Select each passing category only once.');
  return { categories: categories.sort() };
}

function checkRule({ options, selection_mode: mode = 'single', passing_rule: rule }: CategoricalConfig): void {
  if (rule === null || rule === undefined) return;
  const path = ['config', 'passing_rule'];
  if (mode === 'single' && rule.categories.length === 0)
    throw fieldError({ path }, 'invalid_input', 'Choose at least one passing category.');
  const keys = new Set(options.map(({ key }) => key));
  if (!rule.categories.every((category) => keys.has(category)))
    throw fieldError({ path }, 'invalid_input', 'Choose passing categories from the configured options.');
}

function checkCounts(config: CategoricalConfig): void {
  const { min_selections: min = null, max_selections: max = null, selection_mode: mode = 'single' } = config;
  const refuse = (name: string, detail: string): never => {
    throw fieldError({ path: ['config', name] }, 'invalid_input', detail);
  };
  for (const name of ['min_selections', 'max_selections'] as const) {
    const count = config[name] ?? null;
    // One is all that a single selection has: spec 2 shows both fields beside `single`.
    if (mode === 'single' && count !== null && count !== 1)
      refuse(name, `\`${name}\` is only supported when \`selection_mode\` is \`multiple\`.`);
    if (count !== null && count > config.options.length)
      refuse(name, `Ensure \`${name}\` is less than or equal to the number of options.`);
  }
  if (min !== null && max !== null && min > max)
    refuse('max_selections', 'Ensure `max_selections` is greater than or equal to `min_selections`.');
}
