import { AppError } from './errors.ts';

/**
 * Query parameters of a URL as texts that can be stored; of a repeated name the last. What may not be in them is refused
 * later, by `refuseNulls`: who calls comes first (contract/orgs-errors 1.3).
 */
export function parseQuery(url: string): Record<string, string> {
  const start = url.indexOf('?');
  const query: Record<string, string> = {};
  if (start === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (name !== '__proto__') query[name.replaceAll('\0', '\ufffd')] = value.toWellFormed().replaceAll('\0', '\ufffd');
  }
  return query;
}

/** @throws {AppError} null_characters_not_allowed when the query string holds a NUL */
export function refuseNulls(url: string): void {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('%00', start)) return;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (value.includes('\0') || name.includes('\0')) throw new AppError('null_characters_not_allowed', { attr: name.replaceAll('\0', '') });
  }
}
