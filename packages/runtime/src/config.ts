/** One setting: its variable, its description, and the parser of its text. */
export interface Setting<T> {
  readonly variable: string;
  readonly description: string;
  /** Never printed. */
  readonly secret: boolean;
  /** Text of the default as `.env.example` shows it; undefined when the variable must be set. */
  readonly defaultText: string | undefined;
  /** @throws {SettingError} in words that follow the variable's name ("must be …"). */
  readonly parse: (text: string | undefined) => T;
}

/** Settings by name; groups nest, so that a package exports its own fragment and a service composes them. */
export interface Settings {
  readonly [name: string]: Setting<unknown> | Settings;
}

/** The values that `readConfig` makes of settings. */
export type ConfigOf<S> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : ConfigOf<S[K]>;
};

/** The error of one variable. */
export class SettingError extends Error {
  override name = 'SettingError';
}

/** All errors of the environment, one a line. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly errors: readonly string[];
  constructor(errors: readonly string[]) {
    super(`${errors.length} setting(s) cannot be used:\n${errors.map((error) => `  ${error}`).join('\n')}`);
    this.errors = errors;
  }
}

/**
 * Reads all settings from `environment` (an empty text counts as unset).
 * @throws {ConfigError} naming every variable that is missing or malformed, not only the first.
 */
export function readConfig<S extends Settings>(
  settings: S,
  environment: Record<string, string | undefined>,
): ConfigOf<S> {
  const errors: string[] = [];
  const values = readGroup(settings, environment, errors);
  if (errors.length > 0) throw new ConfigError(errors);
  return values as ConfigOf<S>;
}

function readGroup(group: Settings, environment: Record<string, string | undefined>, errors: string[]): unknown {
  const values: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(group)) {
    if (!isSetting(entry)) {
      values[name] = readGroup(entry, environment, errors);
      continue;
    }
    try {
      values[name] = entry.parse(environment[entry.variable] || undefined);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      errors.push(`${entry.variable} ${error.message} (${entry.description})`);
    }
  }
  return values;
}

/** All settings of a group and its sub-groups, in order. */
export function listSettings(group: Settings): Setting<unknown>[] {
  return Object.values(group).flatMap((entry) => (isSetting(entry) ? [entry] : listSettings(entry)));
}

function isSetting(entry: Setting<unknown> | Settings): entry is Setting<unknown> {
  return typeof entry['parse'] === 'function';
}
