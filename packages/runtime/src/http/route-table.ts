/** The entry at a path, and the texts that its parameters have there. */
export interface Found<Entry> {
  entry: Entry;
  params: Record<string, string>;
}

interface Row<Entry> {
  entry: Entry;
  /** Parts in lower case; null for a parameter. */
  fixed: readonly (string | null)[];
  names: readonly string[];
}

/**
 * Looks paths up as Express does (any case, one slash at the end or none, parameters percent-decoded, the first that
 * fits wins), but only among those of as many parts. Express tries one route after the other, each with a regular
 * expression.
 * @throws {Error} for a path of a form that Express would read otherwise
 */
export function createRouteTable<Entry>(entries: Iterable<readonly [path: string, entry: Entry]>) {
  const rows = Map.groupBy(
    Array.from(entries, ([path, entry]) => rowOf(path, entry)),
    ({ fixed }) => fixed.length,
  );

  function find(path: string): Found<Entry> | undefined {
    const parts = partsOf(path);
    const lower = parts.map((part) => part.toLowerCase());
    const row = rows
      .get(parts.length)
      ?.find(({ fixed }) => fixed.every((text, at) => (text === null ? parts[at] !== '' : text === lower[at])));
    if (row === undefined) return undefined;
    const values = parts.filter((_part, at) => row.fixed[at] === null).map(decoded);
    if (values.includes(undefined)) return undefined;
    return { entry: row.entry, params: Object.fromEntries(row.names.map((name, at) => [name, values[at] ?? ''])) };
  }

  // Nearly all requests name a path in the way in which it is declared.
  const declared = new Map<string, Found<Entry>>();
  for (const { fixed, names } of [...rows.values()].flat()) {
    const path = `/${fixed.join('/')}`;
    const found = names.length === 0 ? find(path) : undefined;
    if (found !== undefined) for (const form of [path, `${path}/`]) declared.set(form, found);
  }

  /** Undefined when there is no route at the path, or a parameter cannot be decoded. */
  return (path: string): Found<Entry> | undefined => declared.get(path) ?? find(path);
}

function rowOf<Entry>(path: string, entry: Entry): Row<Entry> {
  const parts = partsOf(path);
  const unreadable = parts.find((part) => !/^(?::\w+|[\w.@-]+)$/.test(part));
  if (!path.startsWith('/') || unreadable !== undefined)
    throw new Error(`the path ${path} is neither of fixed parts nor of whole parameters`);
  return {
    entry,
    fixed: parts.map((part) => (part.startsWith(':') ? null : part.toLowerCase())),
    names: parts.filter((part) => part.startsWith(':')).map((part) => part.slice(1)),
  };
}

function partsOf(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  return end <= 1 ? [] : path.slice(1, end).split('/');
}

function decoded(part: string): string | undefined {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
