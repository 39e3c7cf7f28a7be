import { AppError } from './errors.ts';

/** What stands at a path, and the texts that its parameters have there. */
export interface Found<Entry> {
  entry: Entry;
  params: Record<string, string>;
}

interface Row<Entry> {
  entry: Entry;
  /** In lower case; null where a parameter stands. */
  fixed: readonly (string | null)[];
  names: readonly string[];
}

/**
 * Looks paths up as Express does (any case, one slash at the end or none, parameters percent-decoded, the first that fits
 * wins), but only among those of as many parts. Express asks one route after the other, each with a regular expression.
 * @throws {Error} for a path of a form that Express would read otherwise
 */
export function createRouteTable<Entry>(entries: Iterable<readonly [path: string, entry: Entry]>) {
  const rows = Map.groupBy(Array.from(entries, ([path, entry]) => rowOf(path, entry)), ({ fixed }) => fixed.length);

  /** @throws {AppError} not_found for a parameter that cannot be decoded */
  return (path: string): Found<Entry> | undefined => {
    const parts = partsOf(path);
    const lower = parts.map((part) => part.toLowerCase());
    const row = rows.get(parts.length)?.find(({ fixed }) => fixed.every((text, at) => (text === null ? parts[at] !== '' : text === lower[at])));
    if (row === undefined) return undefined;
    const values = parts.filter((_part, at) => row.fixed[at] === null).map(decoded);
    return { entry: row.entry, params: Object.fromEntries(row.names.map((name, at) => [name, values[at] ?? ''])) };
  };
}

function rowOf<Entry>(path: string, entry: Entry): Row<Entry> {
  const parts = partsOf(path);
  const unreadable = parts.find((part) => !/^(?::\w+|[\w.@-]+)$/.test(part));
  if (!path.startsWith('/') || unreadable !== undefined) throw new Error(`the path ${path} is neither of fixed parts nor of whole parameters`);
  return { entry, fixed: parts.map((part) => (part.startsWith(':') ? null : part.toLowerCase())), names: parts.filter((part) => part.startsWith(':')).map((part) => part.slice(1)) };
}

function partsOf(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  return end <= 1 ? [] : path.slice(1, end).split('/');
}

function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new AppError('not_found', { cause });
  }
}
