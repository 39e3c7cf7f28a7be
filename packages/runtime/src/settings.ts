import { SettingError, type Setting } from './config.ts';

interface Common<T> {
  description: string;
  /** Used when the variable is unset; without it the variable must be set. */
  default?: T;
  secret?: boolean;
}

function setting<T>(variable: string, common: Common<T>, parse: (text: string) => T): Setting<T> {
  return {
    variable,
    description: common.description,
    secret: common.secret ?? false,
    defaultText: common.default === undefined ? undefined : String(common.default),
    parse(text) {
      if (text !== undefined) return parse(text);
      if (common.default !== undefined) return common.default;
      throw new SettingError('must be set');
    },
  };
}

/** Any text. */
export function text(variable: string, common: Common<string>): Setting<string> {
  return setting(variable, common, (value) => value);
}

/** Any text, or null when the variable is unset. */
export function optionalText(variable: string, common: Omit<Common<string>, 'default'>): Setting<string | null> {
  return {
    variable,
    description: common.description,
    secret: common.secret ?? false,
    defaultText: '',
    parse: (value) => value ?? null,
  };
}

/** A whole number within bounds (both included). */
export function integer(variable: string, common: Common<number> & { min?: number; max?: number }): Setting<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = common;
  return setting(variable, common, (value) => {
    const number = Number(value);
    if (/^-?\d+$/.test(value) && number >= min && number <= max) return number;
    throw new SettingError(`must be a whole number from ${min} to ${max}, not "${common.secret ? '…' : value}"`);
  });
}

/** `true` or `false` (also 1, 0). */
export function flag(variable: string, common: Common<boolean>): Setting<boolean> {
  return setting(variable, common, (value) => {
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    throw new SettingError(`must be true or false, not "${value}"`);
  });
}

/** One of a closed list. */
export function choice<const C extends string>(
  variable: string,
  choices: readonly C[],
  common: Common<NoInfer<C>>,
): Setting<C> {
  return setting(variable, common, (value) => {
    const found = choices.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    throw new SettingError(`must be one of ${choices.join(', ')}, not "${value}"`);
  });
}

/** An absolute URL with one of the given protocols (without colon), as text. Its password is never printed. */
export function url(variable: string, protocols: readonly string[], common: Common<string>): Setting<string> {
  return setting(variable, { secret: true, ...common }, (value) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol.slice(0, -1))) {
      throw new SettingError(`must be a URL that starts with ${protocols.map((name) => `${name}://`).join(' or ')}`);
    }
    return value;
  });
}

/** The one setting of logs, of every service. */
export const logLevelSetting = choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
  description: 'least severe log lines that are written',
  default: 'info',
});
