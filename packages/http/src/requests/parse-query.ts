import type { TSchema } from 'typebox';
import { AppError } from '../errors/errors.ts';

/**
 * Query parameters of a URL as texts that can be stored; of a repeated name the last. What may not be in them is refused
 * later, by `refuseNulls`: who calls comes first (contract/orgs-errors 1.3).
 */
export function parseQuery(url: string): Record<string, string> {
  const start = url.indexOf('?');
  if (start === -1) return {};
  // A member of any name is its own, `__proto__` too.
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(url.slice(start + 1)))
    query.set(name.replaceAll('\0', '\ufffd'), value.toWellFormed().replaceAll('\0', '\ufffd'));
  return Object.fromEntries(query);
}

/** In the schema of a text parameter: NULs in it are removed, where those in others are refused. */
export const withoutNuls = { 'x-nul': 'removed' } as const;

/** The parameters that a schema of a query marks `withoutNuls`, as the URL has them, without NULs. Pure. */
export function removeNuls(schema: TSchema | undefined, url: string): Record<string, string> {
  if (!url.includes('%00')) return {};
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, Partial<typeof withoutNuls>> };
  const names = Object.keys(properties).filter((name) => properties[name]?.['x-nul'] === 'removed');
  if (names.length === 0) return {};
  const given = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  return Object.fromEntries(
    names.flatMap((name) =>
      given
        .getAll(name)
        .slice(-1)
        .map((text) => [name, text.toWellFormed().replaceAll('\0', '')]),
    ),
  );
}

/** @throws {AppError} null_characters_not_allowed when the query string holds a NUL, but in parameters of these names */
export function refuseNulls(url: string, except: readonly string[] = []): void {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('%00', start)) return;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if ((value.includes('\0') && !except.includes(name)) || name.includes('\0'))
      throw new AppError('null_characters_not_allowed', { attr: name.replaceAll('\0', '') });
  }
}
