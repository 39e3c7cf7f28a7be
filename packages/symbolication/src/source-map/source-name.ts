/** Paths of URLs, and those of a machine, also of Windows. */
const absolute = /^(?:[a-z][a-z\d+.-]*:|\/|\\)/i;

/**
 * Name of a source: `sourceRoot` before each relative one, one `/` between (contract/decisions 124). It is a name alone, so `..`
 * stays in it. Pure.
 */
export function sourceName(root: string | null, source: string): string {
  if (root === null || root === '' || absolute.test(source)) return source;
  return root.endsWith('/') ? root + source : `${root}/${source}`;
}
