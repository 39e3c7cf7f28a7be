import { AppError } from './errors.ts';

/** Query parameters of a URL as texts; of a repeated name the last. @throws {AppError} null_characters_not_allowed */
export function parseQuery(url: string): Record<string, string> {
  const start = url.indexOf('?');
  const query: Record<string, string> = {};
  if (start === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (value.includes('\0') || name.includes('\0')) throw new AppError('null_characters_not_allowed', { attr: name.replaceAll('\0', '') });
    if (name !== '__proto__') query[name] = value.toWellFormed();
  }
  return query;
}
